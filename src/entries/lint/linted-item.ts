import { SYSTEM_NAMES, type WireContent } from '../../contract/content.ts';
import {
  type FieldBase,
  type FieldsBase,
  isEmpty,
  isRecord,
  type Values,
} from '../../models/field-types/field-type.ts';
import { fieldTypeOf, isReference } from '../../models/field-types/index.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { plainText } from '../../models/text/plain-text.ts';
import type { ModelMap } from '../../models/types.ts';
import { type TextParts, textParts } from './text-parts.ts';

/** A value of text, at any depth. */
interface LintedText extends TextParts {
  /** From the item: `sections[2].fields.text`. */
  readonly path: string;
  readonly value: string;
}

/** An item in one language, taken apart once for all rules. */
export interface LintedItem {
  readonly id: number;
  readonly model: string;
  readonly title: string;
  /** `undefined` in a space without languages. */
  readonly lang: string | undefined;
  readonly item: WireContent;
  readonly texts: readonly LintedText[];
  /** In fields and in texts. */
  readonly images: readonly { readonly path: string; readonly url: string; readonly alt: string }[];
  readonly references: readonly {
    readonly path: string;
    readonly to: number;
    /** The models that the field declares; absent if it accepts any. */
    readonly targets: readonly string[] | undefined;
  }[];
  /** Paths of required fields without a value. */
  readonly missing: readonly string[];
}

const IMAGE = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i;

export function lintedItem(models: ModelMap, item: WireContent, lang: string | undefined): LintedItem {
  const texts: LintedText[] = [];
  const images: LintedItem['images'][number][] = [];
  const references: LintedItem['references'][number][] = [];
  const missing: string[] = [];

  function visit(fields: FieldsBase, values: Values, prefix: string): void {
    for (const [luid, field] of Object.entries(fields)) {
      if (prefix === '' && SYSTEM_NAMES.has(luid)) continue;
      const value = Object.hasOwn(values, luid) ? values[luid] : undefined;
      const path = prefix + luid;
      if (field.required && isBlank(field, value)) missing.push(path);
      if (!isEmpty(value)) visitValue(field, value, path);
    }
  }

  function visitValue(field: FieldBase, value: unknown, path: string): void {
    const type = fieldTypeOf(field);
    if (type.mapGroups) {
      type.mapGroups(field, value, (below, inner, group) => {
        visit(inner, group, `${path}${below}.`);
        return group;
      });
    } else if (isReference(field) && typeof value === 'number') {
      references.push({ path, to: value, targets: targetsOf(field) });
    } else if (type.link === 'media' && isRecord(value) && typeof value.url === 'string') {
      const alt = typeof value.alt === 'string' ? value.alt.trim() : '';
      if (IMAGE.test(value.url)) images.push({ path, url: value.url, alt });
    } else if (type.text && typeof value === 'string') {
      const format = type.text === 'rich' ? ((field as { format?: string }).format ?? 'html') : 'text';
      const parts = textParts(value, format);
      texts.push({ path, value, ...parts });
      for (const image of parts.images) images.push({ path, ...image });
    }
  }

  const { _id: id, _model: model, _title } = item;
  visit(fieldsOf(models, model), item, '');
  const title = typeof _title === 'string' ? _title : '';
  return { id, model, title, lang, item, texts, images, references, missing };
}

/** Also white space alone, and HTML that shows nothing. */
function isBlank(field: FieldBase, value: unknown): boolean {
  if (isEmpty(value)) return true;
  if (typeof value !== 'string' || value.length > 200) return false;
  if (fieldTypeOf(field).text !== 'rich') return value.trim() === '';
  return !/<(?:img|video|iframe|audio|hr|embed)\b/i.test(value) && plainText(value).trim() === '';
}
