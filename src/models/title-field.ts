import type { FieldsBase } from './field-types/field-type.ts';
import { fieldTypeOf } from './field-types/index.ts';

/** §2.1: the field that `_title` is taken from: the one marked as the title, else the first single-line text. */
export function titleField(fields: FieldsBase): string | undefined {
  const lines = Object.entries(fields).filter(([, field]) => fieldTypeOf(field).text === 'line');
  const marked = lines.find(([, field]) => (field as { title?: boolean }).title === true);
  return (marked ?? lines[0])?.[0];
}
