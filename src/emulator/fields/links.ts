import { type ReferenceField, targetsOf } from '../../models/field-types/reference.ts';
import type { Emulated, Intake } from './field-behaviour.ts';
import { testId } from './tests.ts';

function takeId(value: unknown, intake: Intake, noun: string): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : intake.refuse(noun);
}

export const media: Emulated = {
  take: (_field, value, intake) => takeId(value, intake, 'a media id'),
  show: (_field, kept, scope) => scope.media(kept as number),
};

export const reference: Emulated<ReferenceField> = {
  take: (_field, value, intake) => takeId(value, intake, 'a content id'),
  show: (_field, kept, scope, asked) => scope.content(kept as number, asked),
  test: testId,
  inside: (field) => ({ via: 'content', models: targetsOf(field) }),
  selectable: true,
};
