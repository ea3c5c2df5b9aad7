import { type ReferenceField, targetsOf } from '../../models/field-types/reference.ts';
import type { FieldBehaviour, Intake } from './field-behaviour.ts';
import { testId } from './tests.ts';

function takeId(value: unknown, intake: Intake, noun: string): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : intake.refuse(noun);
}

export const media: FieldBehaviour = {
  take: (_field, value, intake) => takeId(value, intake, 'a media id'),
  show: (_field, kept, scope) => scope.media(kept as number),
  isWritable: (_field, id, space) => space.hasMedia(id),
};

export const reference: FieldBehaviour<ReferenceField> = {
  take: (_field, value, intake) => takeId(value, intake, 'a content id'),
  show: (_field, kept, scope, asked) => scope.content(kept as number, asked),
  test: testId,
  isWritable: (field, id, space) => {
    const model = space.modelOf(id);
    return model !== undefined && (targetsOf(field)?.includes(model) ?? true);
  },
  inside: (field) => ({ via: 'content', models: targetsOf(field) }),
  selectable: true,
};
