import type { WireContent } from '../contract/content.ts';
import type { Dimensions } from '../images/dimensions/known-dimensions.ts';
import { parseMediaUrl } from '../images/media-url.ts';
import { imageUrlsIn, makeImagesResponsive } from '../images/responsive-images.ts';
import { type FieldBase, isRecord } from '../models/field-types/field-type.ts';
import { isMedia, isRichText } from '../models/field-types/index.ts';
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
  const needs = (definition: object): boolean =>
    Object.entries(definition).some(
      ([key, value]) =>
        ((key === 'dimensions' || key === 'images') && value !== false) || (isRecord(value) && needs(value)),
    );
  return everyMedia || needs(models);
}

/** The images of an item whose dimensions are needed: URLs without the CDN's parameters. */
export function imageUrlsOf(rules: ImageRules, item: WireContent): string[] {
  const found: string[] = [];
  mapValues(fieldsOf(rules.models, item._model), item, ({ field, value }) => {
    const media = mediaToMeasure(rules, field, value);
    if (media) found.push(media.src);
    const text = textWithImages(field, value);
    if (text?.isMarkdown) found.push(...markdownImageUrls(text.value, rules.assetsUrl));
    else if (text) found.push(...imageUrlsIn(text.value, rules.assetsUrl));
    return value;
  });
  return found;
}

/** The item with `width` and `height` in its media, and responsive images in its HTML fields. */
export function withDimensions(
  rules: ImageRules,
  item: WireContent,
  dimensionsOf: (src: string) => Dimensions | undefined,
): WireContent {
  return mapValues(fieldsOf(rules.models, item._model), item, ({ field, value }) => {
    const media = mediaToMeasure(rules, field, value);
    const dimensions = media && dimensionsOf(media.src);
    if (dimensions) return { ...media.value, width: dimensions.width, height: dimensions.height };
    const text = textWithImages(field, value);
    if (!text || text.isMarkdown) return value;
    return makeImagesResponsive(text.value, text.options, { assetsUrl: rules.assetsUrl, dimensionsOf });
  });
}

/** The image options of a Markdown field; `undefined` if the field is not Markdown or has no `images`. */
export function markdownImageOptions(fields: Fields, luid: string): TextPictures | undefined {
  const text = fields[luid] && textWithImages(fields[luid], '');
  return text?.isMarkdown ? text.options : undefined;
}

function mediaToMeasure({ everyMedia, assetsUrl }: ImageRules, field: FieldBase, value: unknown) {
  if (!isMedia(field) || !(everyMedia || field.dimensions)) return undefined;
  if (!isRecord(value) || typeof value.url !== 'string') return undefined;
  const parsed = parseMediaUrl(value.url, { assetsUrl });
  return parsed && { src: parsed.src, value };
}

function textWithImages(field: FieldBase, value: unknown) {
  if (!isRichText(field) || !field.images || typeof value !== 'string') return undefined;
  const options: TextPictures = field.images === true ? {} : field.images;
  return { value, options, isMarkdown: field.format === 'markdown' };
}

/** `![alt](URL "title")`. No `[` in the alt text, so that matching takes linear time for malicious input. */
const MARKDOWN_IMAGE = /!\[[^\][]*\]\(\s*<?([^\s)>]+)/g;

function markdownImageUrls(markdown: string, assetsUrl: string): string[] {
  const urls = [...markdown.matchAll(MARKDOWN_IMAGE)].map(([, url = '']) => url);
  const found = urls.flatMap((url) => parseMediaUrl(url, { assetsUrl })?.src ?? []);
  return [...found, ...imageUrlsIn(markdown, assetsUrl)];
}
