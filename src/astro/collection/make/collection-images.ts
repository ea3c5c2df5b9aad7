import type { WireContent } from '../../../contract/content.ts';
import type { Entry } from '../../../entries/collection.ts';
import {
  type ImageFacts,
  type ImageRules,
  imagesOf,
  markdownImageOptions,
  needsDimensions,
  needsPlaceholders,
  withImageFacts,
} from '../../../entries/item-images.ts';
import { itemsInEntries } from '../../../entries/items-in-entries.ts';
import { keepProperties } from '../../../entries/kept-properties.ts';
import type { AssetReaderOptions } from '../../../images/assets/asset-reader.ts';
import { ImageMeasurer } from '../../../images/dimensions/image-measurer.ts';
import { makeImagesResponsive, type PreviewOf } from '../../../images/responsive-images.ts';
import { fieldsOf } from '../../../models/fields-of.ts';
import { openStorage } from '../../../replica/store/storage.ts';
import type { Logger } from '../../../shared/logger.ts';
import { isSwitchedOn } from '../../../space/environment/environment.ts';
import type { RunningSpace, SpaceCore } from '../../../space/space.ts';
import { findAssetsUrl } from '../../../space/space-options.ts';
import type { CollectionSettings } from '../options/loader-options.ts';

/** The images of a collection: their dimensions and placeholders, and responsive images in HTML and Markdown. */
export interface CollectionImages {
  /** Equal as long as images of equal dimensions and placeholders become equal HTML. */
  readonly fingerprint: string;
  /** Reads what is needed of the images in these entries. */
  measure(entries: readonly Entry[]): Promise<MeasuredImages>;
}

export interface MeasuredImages {
  /** Whether all dimensions and placeholders are known. */
  readonly isComplete: boolean;
  readonly unknown: UnknownImages;
  /** Whether something is known of an image that was not known before. */
  knowsMoreThan(before: MeasuredImages): boolean;
  /** Adds dimensions and placeholders to the media of an item, and makes the images in its HTML responsive. */
  prepare(item: WireContent): WireContent;
  /** Makes the images in rendered Markdown responsive. */
  makeResponsive(html: string): string;
  /** Equal for equal dimensions and placeholders of the images that `makeResponsive` changes. */
  fingerprintOf(item: WireContent): string;
}

/** The URLs of images that could not be read, or are none. */
export interface UnknownImages {
  readonly dimensions: readonly string[];
  readonly placeholders: readonly string[];
}

export interface ImagesContext {
  readonly cacheDir: string;
  readonly logger: Logger;
}

/** `undefined` if no model needs anything of images, or if the assets URL is not set. */
export async function openCollectionImages(
  space: RunningSpace,
  settings: CollectionSettings,
  context: ImagesContext,
): Promise<CollectionImages | undefined> {
  const { models } = space;
  const everyMedia = space.settings.dimensions ?? false;
  const isPreviewed = needsPlaceholders(models);
  if (!needsDimensions(models, everyMedia) && !isPreviewed) return undefined;
  const assetsUrl = await findAssetsUrl(space.settings);
  if (!assetsUrl) {
    const warning = isPreviewed ? NO_ASSETS_URL_FOR_PLACEHOLDERS : NO_ASSETS_URL;
    space.runtime.once(warning, () => context.logger.warn(warning));
    return undefined;
  }
  const offline = await isSwitchedOn('LUID_OFFLINE');
  const options = () => readerOptions(space, settings, { assetsUrl, offline }, context);
  const measurer = space.runtime.share('image-dimensions', () => new ImageMeasurer(options()));
  await measurer.load(context.logger);
  const placeholders = isPreviewed ? await openPlaceholders(space, options) : undefined;
  const rules: ImageRules = { models, everyMedia, assetsUrl };
  return {
    fingerprint: JSON.stringify([assetsUrl, everyMedia, ...(isPreviewed ? [PREVIEW_VERSION] : [])]),
    async measure(entries) {
      const shown = entries.map((entry) => ({
        ...entry,
        item: keepProperties(entry.item, settings.rule.shown),
      }));
      const images = [...itemsInEntries(models, shown, settings.rule.depth)].map((item) =>
        imagesOf(rules, item),
      );
      const measured = new Set(images.flatMap((image) => image.measured));
      const { found, isComplete } = await measurer.read(measured, context.logger);
      const dimensionsOf = (src: string) => found.get(src);
      const dimensions = [...measured].filter((url) => !found.has(url));
      if (!placeholders) {
        const facts = { assetsUrl, dimensionsOf, placeholderOf: () => undefined };
        return measuredImages(rules, settings, facts, {
          isComplete,
          unknown: { dimensions, placeholders: [] },
        });
      }
      const previewed = images.flatMap((image) => image.previewed);
      // An image that could not be measured has no placeholder either: one request and one warning are enough.
      const readable = previewed.filter((url) => !measured.has(url) || found.has(url));
      const previews = await placeholders.reader.read(readable, context.logger);
      const placeholderOf = (src: string) => previews.found.get(src);
      const previewOf: PreviewOf = (src, ratio) => placeholders.previewAttributes(placeholderOf(src), ratio);
      const facts = { assetsUrl, dimensionsOf, placeholderOf, previewOf };
      return measuredImages(rules, settings, facts, {
        isComplete: isComplete && previews.isComplete,
        unknown: { dimensions, placeholders: previewed.filter((url) => !previews.found.has(url)) },
      });
    },
  };
}

const NO_ASSETS_URL =
  'Images have no dimensions, because the URL of the media is not known: set LUID_ASSETS_URL';
const NO_ASSETS_URL_FOR_PLACEHOLDERS =
  'Images have no dimensions and no placeholders, because the URL of the media is not known: set LUID_ASSETS_URL';

/** Increased when equal placeholders become other attributes in HTML. */
const PREVIEW_VERSION = 1;

function readerOptions(
  space: SpaceCore,
  settings: CollectionSettings,
  source: { readonly assetsUrl: string; readonly offline: boolean },
  { cacheDir }: ImagesContext,
): AssetReaderOptions {
  const { cache = {} } = space.settings;
  return {
    connect: space.connect({ drafts: settings.drafts }),
    ...source,
    storage: cache === false ? undefined : openStorage(cache, cacheDir),
  };
}

/** Loads code that only sites with placeholders need. */
async function openPlaceholders({ runtime }: RunningSpace, options: () => AssetReaderOptions) {
  const { PlaceholderReader, previewAttributes } = await import('../../../images/placeholder/index.ts');
  // One for all collections, so that no image is requested twice.
  const reader = runtime.share('image-placeholders', () => new PlaceholderReader(options()));
  return { reader, previewAttributes };
}

function measuredImages(
  rules: ImageRules,
  { model, body, rule: { shown } }: CollectionSettings,
  facts: ImageFacts,
  result: Pick<MeasuredImages, 'isComplete' | 'unknown'>,
): MeasuredImages {
  const { dimensionsOf, placeholderOf } = facts;
  const markdown = body && markdownImageOptions(fieldsOf(rules.models, model), body.luid);
  return {
    ...result,
    knowsMoreThan: ({ unknown: { dimensions, placeholders } }) =>
      dimensions.some((url) => dimensionsOf(url) !== undefined) ||
      placeholders.some((url) => placeholderOf(url) !== undefined),
    prepare: (item) => withImageFacts(rules, item, facts),
    makeResponsive: (html) => (markdown ? makeImagesResponsive(html, markdown, facts) : html),
    fingerprintOf: (item) => {
      if (!markdown) return '';
      const { measured, previewed } = imagesOf(rules, keepProperties(item, shown));
      return JSON.stringify([...measured.map(dimensionsOf), ...previewed.map(placeholderOf)]);
    },
  };
}
