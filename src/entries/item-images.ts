import type { WireContent } from '../contract/content.ts';
import { markdownImageUrls } from '../images/markdown-images.ts';
import { parseMediaUrl } from '../images/media-url.ts';
import { type ImageContext, imageUrlsIn, makeImagesResponsive } from '../images/responsive-images.ts';
import { childGroups } from '../models/child-groups.ts';
import { type FieldBase, type FieldsBase, isRecord } from '../models/field-types/field-type.ts';
import { isMedia, isRichText } from '../models/field-types/index.ts';
import type { ImagePlaceholder } from '../models/field-types/media.ts';
import type { TextPictures } from '../models/field-types/texts.ts';
import { fieldsOf } from '../models/fields-of.ts';
import type { Fields, ModelMap } from '../models/types.ts';
import { mapValues } from '../models/walk.ts';

export interface ImageRules {
  readonly models: ModelMap;
  /** Read the dimensions of every media field, not only of those with `dimensions`. */
  readonly everyMedia: boolean;
  /** The base URL of media. */
  readonly assetsUrl: string;
}

/** Whether any field needs image dimensions. */
export function needsDimensions(models: ModelMap, everyMedia: boolean): boolean {
  const isMeasured = (field: FieldBase) =>
    isMedia(field) ? field.dimensions : textWithImages(field, '') !== undefined;
  return everyMedia || Object.values(models).some((fields) => someField(fields, isMeasured));
}

/** Whether any field needs placeholders. */
export function needsPlaceholders(models: ModelMap): boolean {
  const isPreviewed = (field: FieldBase) =>
    isMedia(field) ? field.placeholder : textWithImages(field, '')?.options.placeholder;
  return Object.values(models).some((fields) => someField(fields, isPreviewed));
}

/** Whether the test holds for a field, at any depth. */
function someField(fields: FieldsBase, test: (field: FieldBase) => unknown): boolean {
  return Object.values(fields).some(
    (field) => test(field) || childGroups(field).some(([, group]) => someField(group, test)),
  );
}

/** URLs of images, without the CDN's parameters. */
export interface ItemImages {
  /** Those whose dimensions are needed. */
  readonly measured: string[];
  /** Those whose placeholder is needed. */
  readonly previewed: string[];
}

/** The images of an item. */
export function imagesOf(rules: ImageRules, item: WireContent): ItemImages {
  const found: ItemImages = { measured: [], previewed: [] };
  mapValues(fieldsOf(rules.models, item._model), item, ({ field, value }) => {
    const media = mediaToRead(rules, field, value);
    if (media?.isMeasured) found.measured.push(media.src);
    if (media?.isPreviewed) found.previewed.push(media.src);
    const text = textWithImages(field, value);
    if (!text) return value;
    const urls = text.isMarkdown
      ? urlsInMarkdown(text.value, rules.assetsUrl)
      : imageUrlsIn(text.value, rules.assetsUrl);
    found.measured.push(...urls);
    if (text.options.placeholder) found.previewed.push(...urls);
    return value;
  });
  return found;
}

export interface ImageFacts extends ImageContext {
  /** By URL without the CDN's parameters. */
  readonly placeholderOf: (src: string) => ImagePlaceholder | undefined;
}

/** The item with `width`, `height` and `placeholder` in its media, and responsive images in its HTML fields. */
export function withImageFacts(rules: ImageRules, item: WireContent, facts: ImageFacts): WireContent {
  return mapValues(fieldsOf(rules.models, item._model), item, ({ field, value }) => {
    const media = mediaToRead(rules, field, value);
    if (media) {
      const dimensions = media.isMeasured && facts.dimensionsOf(media.src);
      if (!dimensions && !media.isPreviewed) return value;
      return {
        ...media.value,
        ...(dimensions && { width: dimensions.width, height: dimensions.height }),
        ...(media.isPreviewed && { placeholder: facts.placeholderOf(media.src) ?? null }),
      };
    }
    const text = textWithImages(field, value);
    return !text || text.isMarkdown ? value : makeImagesResponsive(text.value, text.options, facts);
  });
}

/** The image options of a Markdown field; `undefined` if the field is not Markdown or has no `images`. */
export function markdownImageOptions(fields: Fields, luid: string): TextPictures | undefined {
  const text = fields[luid] && textWithImages(fields[luid], '');
  return text?.isMarkdown ? text.options : undefined;
}

function mediaToRead({ everyMedia, assetsUrl }: ImageRules, field: FieldBase, value: unknown) {
  if (!isMedia(field) || !isRecord(value) || typeof value.url !== 'string') return undefined;
  const isMeasured = everyMedia || field.dimensions;
  const isPreviewed = field.placeholder;
  const parsed = isMeasured || isPreviewed ? parseMediaUrl(value.url, { assetsUrl }) : undefined;
  return parsed && { src: parsed.src, value, isMeasured, isPreviewed };
}

function textWithImages(field: FieldBase, value: unknown) {
  if (!isRichText(field) || !field.images || typeof value !== 'string') return undefined;
  const options: TextPictures = field.images === true ? {} : field.images;
  return { value, options, isMarkdown: field.format === 'markdown' };
}

function urlsInMarkdown(markdown: string, assetsUrl: string): string[] {
  const found = markdownImageUrls(markdown).flatMap((url) => parseMediaUrl(url, { assetsUrl })?.src ?? []);
  return [...found, ...imageUrlsIn(markdown, assetsUrl)];
}
