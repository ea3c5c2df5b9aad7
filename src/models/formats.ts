import { TEXT_FORMATS, type TextFormat } from '../contract/parameters.ts';
import { childGroups, groupPath } from './child-groups.ts';
import type { FieldsBase } from './field-types/field-type.ts';
import { RICH_TEXT_TYPES } from './field-types/rich-text-types.ts';

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

/** The `[format]` parameters that a model could have: those of all its flexible texts. */
export function richTexts(fields: FieldsBase, prefix = ''): Set<string> {
  const found = new Set<string>();
  for (const [luid, field] of Object.entries(fields)) {
    const path = `${prefix}${luid}`;
    if (RICH_TEXT_TYPES.includes(field.type)) found.add(`${path}[format]`);
    for (const [set, group] of childGroups(field)) {
      for (const parameter of richTexts(group, groupPath(path, set))) found.add(parameter);
    }
  }
  return found;
}
