import type { TextFormat } from '../contract/parameters.ts';
import { kindOf } from './kinds/index.ts';
import type { FieldsBase } from './kinds/kind.ts';

/**
 * The `[format]` parameters that a model's flexible texts need. The specification shows the form
 * `{field_luid}[format]` alone; for texts inside groups the dotted path is assumed, as for filters:
 * `seo.text[format]`, and with the set's LUID for combinations, `sections.quote.text[format]`.
 */
export function formatsOf(fields: FieldsBase, prefix = ''): Record<string, TextFormat> {
  const formats: Record<string, TextFormat> = {};
  for (const [luid, field] of Object.entries(fields)) {
    const kind = kindOf(field);
    const format = kind.format?.(field);
    if (format) formats[`${prefix}${luid}[format]`] = format;
    for (const [below, inner] of kind.inside?.(field) ?? []) {
      Object.assign(formats, formatsOf(inner, `${prefix}${luid}${below}.`));
    }
  }
  return formats;
}
