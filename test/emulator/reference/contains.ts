import type { Field } from '../../../src/models/field-types/index.ts';
import type { Fields } from '../../../src/models/types.ts';
import { contentObject, fieldsOf } from './content.ts';
import type { Reader, Shown } from './reader.ts';
import { own, type Values } from './reference-seed.ts';

/** A text and the type of the field that holds it. */
type Text = [type: string, text: string];

/** §4.1: every keyword occurs in one text or another; capitals do not matter. */
export function containsAll(texts: Text[], keywords: string): boolean {
  return keywords
    .split(',')
    .filter((keyword) => keyword !== '')
    .every((keyword) => texts.some((text) => plain(text).includes(keyword.toLowerCase())));
}

/** Flexible text is compared by what a reader of the page sees. */
function plain([type, text]: Text): string {
  return (type === 'flexible_text' ? text.replace(/<[^>]*>/g, '') : text).toLowerCase();
}

/** Every text of an item, also those in its field sets, repeats and combinations; not those of other items. */
export function allTexts(reader: Reader, shown: Shown): Text[] {
  return textsIn(fieldsOf(reader, shown.content), contentObject(reader, shown, 0));
}

function textsIn(fields: Fields, values: Values): Text[] {
  return Object.entries(fields).flatMap(([luid, field]) => textsOf(field, own(values, luid)));
}

function textsOf(field: Field, value: unknown): Text[] {
  if (value === null) return [];
  switch (field.type) {
    case 'flexible_text':
    case 'text':
    case 'multiline':
      return [[field.type, value as string]];
    case 'field_set':
      return textsIn(field.fields as Fields, value as Values);
    case 'repeat':
      return (value as Values[]).flatMap((entry) => textsIn(field.fields as Fields, entry));
    case 'combination':
      return (value as { luid: string; fields: Values }[]).flatMap((block) =>
        textsIn(own(field.sets, block.luid) as Fields, block.fields),
      );
    default:
      return [];
  }
}
