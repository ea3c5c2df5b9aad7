import type { WireContent } from '../contract/content.ts';
import { picturesIn, responsivePictures } from '../images/html-pictures.ts';
import type { Size } from '../images/known-sizes.ts';
import { parseMediaUrl } from '../images/media-url.ts';
import { type FieldBase, isRecord } from '../models/field-types/field-type.ts';
import { isMedia, isRichText } from '../models/field-types/index.ts';
import type { TextPictures } from '../models/field-types/texts.ts';
import { fieldsOf } from '../models/fields-of.ts';
import type { Fields, ModelMap } from '../models/types.ts';
import { mapValues } from '../models/walk.ts';

export interface PictureRules {
  readonly models: ModelMap;
  /** Sizes are wanted of every media field, not only of those that ask for it. */
  readonly everyMedia: boolean;
  /** Where media lie. */
  readonly assetsUrl: string;
}

/** Whether anything asks for the size of a picture. */
export function wantsPictures(models: ModelMap, everyMedia: boolean): boolean {
  const asks = (field: object): boolean =>
    Object.entries(field).some(
      ([key, value]) =>
        ((key === 'dimensions' || key === 'images') && value !== false) || (isRecord(value) && asks(value)),
    );
  return everyMedia || asks(models);
}

/** The pictures of an item whose size matters: their addresses without the CDN's parameters. */
export function picturesOf(rules: PictureRules, item: WireContent): string[] {
  const found: string[] = [];
  mapValues(fieldsOf(rules.models, item._model), item, ({ field, value }) => {
    const media = sizedMedia(rules, field, value);
    if (media) found.push(media.src);
    const text = richText(field, value);
    if (text?.isMarkdown) found.push(...markdownPictures(text.value, rules.assetsUrl));
    else if (text) found.push(...picturesIn(text.value, rules.assetsUrl));
    return value;
  });
  return found;
}

/** The item with sizes beside its media, and responsive pictures in its HTML texts. */
export function withPictures(
  rules: PictureRules,
  item: WireContent,
  sizeOf: (src: string) => Size | undefined,
): WireContent {
  return mapValues(fieldsOf(rules.models, item._model), item, ({ field, value }) => {
    const media = sizedMedia(rules, field, value);
    const size = media && sizeOf(media.src);
    if (size) return { ...media.value, width: size.width, height: size.height };
    const text = richText(field, value);
    if (!text || text.isMarkdown) return value;
    return responsivePictures(text.value, text.options, { assetsUrl: rules.assetsUrl, sizeOf });
  });
}

/** How the pictures of a text that is rendered from Markdown are to be shown, if they are to be changed. */
export function markdownOptions(fields: Fields, luid: string): TextPictures | undefined {
  const text = fields[luid] && richText(fields[luid], '');
  return text?.isMarkdown ? text.options : undefined;
}

function sizedMedia({ everyMedia, assetsUrl }: PictureRules, field: FieldBase, value: unknown) {
  if (!isMedia(field) || !(everyMedia || field.dimensions)) return undefined;
  if (!isRecord(value) || typeof value.url !== 'string') return undefined;
  const parsed = parseMediaUrl(value.url, { assetsUrl });
  return parsed && { src: parsed.src, value };
}

function richText(field: FieldBase, value: unknown) {
  if (!isRichText(field) || !field.images || typeof value !== 'string') return undefined;
  const options: TextPictures = field.images === true ? {} : field.images;
  return { value, options, isMarkdown: field.format === 'markdown' };
}

/** `![alt](URL "title")`. No `[` in the alt text: else every `![` of a hostile text would be read to its end. */
const MARKDOWN_PICTURE = /!\[[^\][]*\]\(\s*<?([^\s)>]+)/g;

function markdownPictures(markdown: string, assetsUrl: string): string[] {
  const addresses = [...markdown.matchAll(MARKDOWN_PICTURE)].map(([, address = '']) => address);
  const found = addresses.flatMap((address) => parseMediaUrl(address, { assetsUrl })?.src ?? []);
  return [...found, ...picturesIn(markdown, assetsUrl)];
}
