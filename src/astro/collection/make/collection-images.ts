import type { WireContent } from '../../../contract/content.ts';
import type { Entry } from '../../../entries/collection.ts';
import {
  type ImageFacts,
  type ImageRules,
  imagesOf,
  markdownImageOptions,
  withImageFacts,
} from '../../../entries/item-images.ts';
import { itemsInEntries } from '../../../entries/items-in-entries.ts';
import { keepProperties } from '../../../entries/kept-properties.ts';
import { makeImagesResponsive, type PreviewOf } from '../../../images/responsive-images.ts';
import { fieldsOf } from '../../../models/fields-of.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { RunningSpace } from '../../../space/space.ts';
import type { CollectionSettings } from '../options/loader-options.ts';
import {
  type ImageFactReaders,
  type KnownImages,
  openSpaceImages,
  type UnknownImages,
} from './space-images.ts';

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

/** `undefined` if no model needs anything of images, or if the assets URL is not set. */
export async function openCollectionImages(
  space: RunningSpace,
  settings: CollectionSettings,
  readers: ImageFactReaders,
  logger: Logger,
): Promise<CollectionImages | undefined> {
  const opened = await openSpaceImages(space, readers, logger);
  if (!opened) return undefined;
  const { rules, isPreviewed, read } = opened;
  const { models, assetsUrl, everyMedia } = rules;
  // Code that only sites with placeholders need.
  const preview = isPreviewed ? await import('../../../images/placeholder/preview-attribute.ts') : undefined;
  return {
    fingerprint: JSON.stringify([assetsUrl, everyMedia, ...(isPreviewed ? [PREVIEW_VERSION] : [])]),
    async measure(entries) {
      const shown = entries.map((entry) => ({
        ...entry,
        item: keepProperties(entry.item, settings.rule.shown),
      }));
      const items = [...itemsInEntries(models, shown, settings.rule.depth)];
      const known = await read(items.map((item) => imagesOf(rules, item)));
      const dimensionsOf = (src: string) => known.dimensions.get(src);
      const placeholderOf = (src: string) => known.placeholders.get(src);
      const previewOf: PreviewOf | undefined =
        preview && ((src, ratio) => preview.previewAttributes(placeholderOf(src), ratio));
      const facts = { assetsUrl, dimensionsOf, placeholderOf, ...(previewOf && { previewOf }) };
      return measuredImages(rules, settings, facts, known);
    },
  };
}

/** Increased when equal placeholders become other attributes in HTML. */
const PREVIEW_VERSION = 1;

function measuredImages(
  rules: ImageRules,
  { model, body, rule: { shown } }: CollectionSettings,
  facts: ImageFacts,
  { isComplete, unknown }: KnownImages,
): MeasuredImages {
  const { dimensionsOf, placeholderOf } = facts;
  const markdown = body && markdownImageOptions(fieldsOf(rules.models, model), body.luid);
  return {
    isComplete,
    unknown,
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
