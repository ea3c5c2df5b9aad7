import { TEXT_FORMATS, type TextFormat } from '../contract/parameters.ts';
import { childGroups, groupPath } from './child-groups.ts';
import type { FieldsBase } from './field-types/field-type.ts';

/**
 * The `[format]` parameters of a model's flexible texts. The specification documents `{field_luid}[format]` only; in
 * groups a dotted path is assumed, as in filters: `seo.text[format]`, `sections.quote.text[format]`.
 */
export function formatsOf(fields: FieldsBase, prefix = ''): Record<string, TextFormat> {
  const formats: Record<string, TextFormat> = {};
  for (const [luid, field] of Object.entries(fields)) {
    const { format } = field as { format?: TextFormat };
    const path = `${prefix}${luid}`;
    if (format && format !== TEXT_FORMATS[0]) formats[`${path}[format]`] = format;
    for (const [set, group] of childGroups(field)) {
      Object.assign(formats, formatsOf(group, groupPath(path, set)));
    }
  }
  return formats;
}
