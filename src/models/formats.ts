import { TEXT_FORMATS, type TextFormat } from '../contract/parameters.ts';
import { childGroups, groupPath } from './child-groups.ts';
import type { FieldsBase } from './field-types/field-type.ts';
import { RICH_TEXT_TYPES } from './field-types/rich-text-types.ts';

/**
 * The `[format]` parameters that a model can have, those of all its flexible texts, with the declared formats. The
 * specification documents `{field_luid}[format]` only; in groups a dotted path is assumed, as in filters:
 * `seo.text[format]`, `sections.quote.text[format]`.
 */
export function richTexts(fields: FieldsBase, prefix = ''): [parameter: string, TextFormat][] {
  return Object.entries(fields).flatMap(([luid, field]) => {
    const path = prefix + luid;
    const { type, format = TEXT_FORMATS[0] } = field as { type: string; format?: TextFormat };
    const inGroups = childGroups(field).flatMap(([set, group]) => richTexts(group, groupPath(path, set)));
    return RICH_TEXT_TYPES.includes(type) ? [[`${path}[format]`, format], ...inGroups] : inGroups;
  });
}

/** The `[format]` parameters that differ from the default. */
export function formatsOf(fields: FieldsBase): Record<string, TextFormat> {
  return Object.fromEntries(richTexts(fields).filter(([, format]) => format !== TEXT_FORMATS[0]));
}
