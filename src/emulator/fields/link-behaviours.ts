import { type ReferenceField, targetsOf } from '../../models/field-types/reference.ts';
import type { FieldBehaviour, ParseContext } from './field-behaviour.ts';
import { testId } from './operator-conditions.ts';

function parseId(value: unknown, context: ParseContext, expected: string): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : context.refuse(expected);
}

export const media: FieldBehaviour = {
  control: 'media',
  parse: (_field, value, context) => parseId(value, context, 'a media id'),
  serialize: (_field, stored, scope) => scope.media(stored as number),
  isWritable: (_field, id, space) => space.hasMedia(id),
};

export const reference: FieldBehaviour<ReferenceField> = {
  control: 'content',
  parse: (_field, value, context) => parseId(value, context, 'a content id'),
  serialize: (_field, stored, scope, projection) => scope.content(stored as number, projection),
  test: testId,
  isWritable: (field, id, space) => {
    const model = space.modelOf(id);
    return model !== undefined && (targetsOf(field)?.includes(model) ?? true);
  },
  selectable: true,
};
