import { TEXT_FORMATS, type TextFormat } from '../contract/parameters.ts';
import type { FieldsBase } from './field-types/field-type.ts';

/** What of a definition decides formats: its own, and those of the groups inside it. */
interface Definition {
  readonly format?: TextFormat;
  readonly fields?: FieldsBase;
  readonly sets?: { readonly [luid: string]: FieldsBase };
}

/**
 * The `[format]` parameters that a model's flexible texts need. The specification shows the form
 * `{field_luid}[format]` alone; for texts inside groups the dotted path is assumed, as for filters:
 * `seo.text[format]`, and with the set's LUID for combinations, `sections.quote.text[format]`.
 */
export function formatsOf(fields: FieldsBase, prefix = ''): Record<string, TextFormat> {
  const formats: Record<string, TextFormat> = {};
  for (const [luid, definition] of Object.entries(fields)) {
    const { format, fields: group, sets = {} } = definition as Definition;
    const path = `${prefix}${luid}`;
    if (format && format !== TEXT_FORMATS[0]) formats[`${path}[format]`] = format;
    if (group) Object.assign(formats, formatsOf(group, `${path}.`));
    for (const [set, inner] of Object.entries(sets))
      Object.assign(formats, formatsOf(inner, `${path}.${set}.`));
  }
  return formats;
}
