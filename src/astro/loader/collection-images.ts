import { fileURLToPath } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
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
import { ImageMeasurer, type Measurement } from '../../images/dimensions/image-measurer.ts';
import { makeImagesResponsive } from '../../images/responsive-images.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { openStorage } from '../../replica/store/storage.ts';
import { isSwitchedOn } from '../../space/environment.ts';
import type { SpaceCore } from '../../space/space.ts';
import { findAssetsUrl } from '../../space/space-options.ts';
import { warnOnce } from '../../space/warn-once.ts';
import type { LoaderPlan } from './loader-options.ts';

/** What a collection's pictures need to be right, where its models ask for it. */
export interface Pictures {
  /** Equal for what decides how pictures are shown, but for their sizes. */
  readonly stamp: string;
  /** Finds the sizes of what these entries show. */
  measure(entries: readonly Entry[]): Promise<MeasuredPictures>;
}

export interface MeasuredPictures {
  /** Whether every size is known. */
  readonly isComplete: boolean;
  /** The item with sizes beside its media, and responsive pictures in its HTML texts. */
  prepare(item: WireContent): WireContent;
  /** Rendered Markdown with responsive pictures. */
  finish(html: string): string;
  /** Equal for equal sizes of what `finish` changes. */
  stampOf(item: WireContent): string;
}

/** One for all collections of a space, so that no picture is asked for twice. */
const opened = new WeakMap<object, ImageMeasurer>();

/** Nothing, where no model asks for it or the URL of the media is not known. */
export async function openPictures(
  space: SpaceCore,
  plan: LoaderPlan,
  context: LoaderContext,
): Promise<Pictures | undefined> {
  const { models, settings } = space;
  const everyMedia = settings.dimensions ?? false;
  if (!needsDimensions(models, everyMedia)) return undefined;
  const assetsUrl = await findAssetsUrl(settings);
  if (!assetsUrl) {
    const line = 'Images have no dimensions, because the URL of the media is not known: set LUID_ASSETS_URL';
    warnOnce(space, line, context.logger);
    return undefined;
  }
  const offline = await isSwitchedOn('LUID_OFFLINE');
  const sizes = opened.get(space) ?? openSizesOf(space, plan, { assetsUrl, offline }, context);
  opened.set(space, sizes);
  await sizes.load(context.logger);
  const rules: ImageRules = { models, everyMedia, assetsUrl };
  return {
    stamp: JSON.stringify([assetsUrl, everyMedia]),
    async measure(entries) {
      const items = itemsInEntries(models, entries, plan.depth);
      const wanted = new Set([...items].flatMap((item) => imageUrlsOf(rules, item)));
      return measured(rules, plan, await sizes.measure(wanted, context.logger));
    },
  };
}

function openSizesOf(
  space: SpaceCore,
  plan: LoaderPlan,
  source: { readonly assetsUrl: string; readonly offline: boolean },
  context: LoaderContext,
): ImageMeasurer {
  const { cache = {} } = space.settings;
  const cacheDir = fileURLToPath(new URL('astro-luid', context.config.cacheDir));
  return new ImageMeasurer({
    connect: space.connect({ drafts: plan.drafts }),
    ...source,
    storage: cache === false ? undefined : openStorage(cache, cacheDir),
  });
}

function measured(
  rules: ImageRules,
  { model, body }: LoaderPlan,
  { dimensions, isComplete }: Measurement,
): MeasuredPictures {
  const dimensionsOf = (src: string) => dimensions.get(src);
  const markdown = body && markdownImageOptions(fieldsOf(rules.models, model), body.luid);
  return {
    isComplete,
    prepare: (item) => withDimensions(rules, item, dimensionsOf),
    finish: (html) =>
      markdown ? makeImagesResponsive(html, markdown, { assetsUrl: rules.assetsUrl, dimensionsOf }) : html,
    stampOf: (item) => (markdown ? JSON.stringify(imageUrlsOf(rules, item).map(dimensionsOf)) : ''),
  };
}
