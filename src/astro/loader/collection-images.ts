import type { WireContent } from '../../contract/content.ts';
import type { Entry } from '../../entries/collection.ts';
import {
  type ImageRules,
  imageUrlsOf,
  markdownImageOptions,
  needsDimensions,
  withDimensions,
} from '../../entries/item-images.ts';
import { itemsInEntries } from '../../entries/items-in-entries.ts';
import { keepProperties } from '../../entries/kept-properties.ts';
import { ImageMeasurer, type Measurement } from '../../images/dimensions/image-measurer.ts';
import { makeImagesResponsive } from '../../images/responsive-images.ts';
import type { Logger } from '../../logger.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { openStorage } from '../../replica/store/storage.ts';
import { isSwitchedOn } from '../../space/environment.ts';
import type { RunningSpace, SpaceCore } from '../../space/space.ts';
import { findAssetsUrl } from '../../space/space-options.ts';
import type { LoaderPlan } from './loader-options.ts';

/** The images of a collection: their dimensions, and responsive images in HTML and Markdown. */
export interface CollectionImages {
  /** Equal as long as images of equal dimensions become equal HTML. */
  readonly fingerprint: string;
  /** Reads the dimensions of the images in these entries. */
  measure(entries: readonly Entry[]): Promise<MeasuredImages>;
}

export interface MeasuredImages {
  /** Whether all dimensions are known. */
  readonly isComplete: boolean;
  /** Adds dimensions to the media of an item, and makes the images in its HTML responsive. */
  prepare(item: WireContent): WireContent;
  /** Makes the images in rendered Markdown responsive. */
  makeResponsive(html: string): string;
  /** Equal for equal dimensions of the images that `makeResponsive` changes. */
  fingerprintOf(item: WireContent): string;
}

export interface ImagesContext {
  readonly cacheDir: string;
  readonly logger: Logger;
}

/** `undefined` if no model needs dimensions or responsive images, or if the assets URL is not set. */
export async function openCollectionImages(
  space: RunningSpace,
  plan: LoaderPlan,
  context: ImagesContext,
): Promise<CollectionImages | undefined> {
  const { models, settings } = space;
  const everyMedia = settings.dimensions ?? false;
  if (!needsDimensions(models, everyMedia)) return undefined;
  const assetsUrl = await findAssetsUrl(settings);
  if (!assetsUrl) {
    space.runtime.once(NO_ASSETS_URL, () => context.logger.warn(NO_ASSETS_URL));
    return undefined;
  }
  const offline = await isSwitchedOn('LUID_OFFLINE');
  const measurer = space.runtime.imageMeasurer(() =>
    openMeasurer(space, plan, { assetsUrl, offline }, context),
  );
  await measurer.load(context.logger);
  const rules: ImageRules = { models, everyMedia, assetsUrl };
  return {
    fingerprint: JSON.stringify([assetsUrl, everyMedia]),
    async measure(entries) {
      const shown = entries.map((entry) => ({ ...entry, item: keepProperties(entry.item, plan.shown) }));
      const items = itemsInEntries(models, shown, plan.depth);
      const wanted = new Set([...items].flatMap((item) => imageUrlsOf(rules, item)));
      return measured(rules, plan, await measurer.measure(wanted, context.logger));
    },
  };
}

const NO_ASSETS_URL =
  'Images have no dimensions, because the URL of the media is not known: set LUID_ASSETS_URL';

function openMeasurer(
  space: SpaceCore,
  plan: LoaderPlan,
  source: { readonly assetsUrl: string; readonly offline: boolean },
  { cacheDir }: ImagesContext,
): ImageMeasurer {
  const { cache = {} } = space.settings;
  return new ImageMeasurer({
    connect: space.connect({ drafts: plan.drafts }),
    ...source,
    storage: cache === false ? undefined : openStorage(cache, cacheDir),
  });
}

function measured(
  rules: ImageRules,
  { model, body, shown }: LoaderPlan,
  { dimensions, isComplete }: Measurement,
): MeasuredImages {
  const dimensionsOf = (src: string) => dimensions.get(src);
  const markdown = body && markdownImageOptions(fieldsOf(rules.models, model), body.luid);
  return {
    isComplete,
    prepare: (item) => withDimensions(rules, item, dimensionsOf),
    makeResponsive: (html) =>
      markdown ? makeImagesResponsive(html, markdown, { assetsUrl: rules.assetsUrl, dimensionsOf }) : html,
    fingerprintOf: (item) =>
      markdown ? JSON.stringify(imageUrlsOf(rules, keepProperties(item, shown)).map(dimensionsOf)) : '',
  };
}
