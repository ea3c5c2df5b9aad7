import type { Field } from '../../../src/models/field-types/index.ts';
import type { Fields } from '../../../src/models/types.ts';
import type { DrawnValues } from './random-command.ts';
import { own, type Seed, type Values } from './reference-seed.ts';

/** An id that nothing ever has. */
export const MISSING = 999_999;

/** Numbers that commands draw. The last one is nobody’s. */
export const HIGHEST = 15;

/** The id that a number of a command stands for. */
export function contentId(seed: Seed, target: number): number {
  return numbered(seed.contents, target);
}

export function mediaId(seed: Seed, target: number): number {
  return numbered(seed.media, target);
}

function numbered(things: { id: number }[], target: number): number {
  return (target === HIGHEST ? undefined : things[target % things.length]?.id) ?? MISSING;
}

/** The drawn values that the model has fields for, with ids in place of numbers. */
export function valuesFor(seed: Seed, model: string, drawn: DrawnValues): Values {
  return linked(seed, own(seed.models, model) ?? {}, drawn);
}

function linked(seed: Seed, fields: Fields, drawn: object): Values {
  const given = Object.entries(drawn).filter(([luid]) => Object.hasOwn(fields, luid));
  return Object.fromEntries(
    given.map(([luid, value]) => [luid, linkedValue(seed, own(fields, luid) as Field, value)]),
  );
}

function linkedValue(seed: Seed, field: Field, value: unknown): unknown {
  if (value === null) return null;
  if (field.type === 'media') return mediaId(seed, value as number);
  if (field.type === 'reference') return targetId(seed, field, value as number);
  if (field.type === 'field_set') return linked(seed, field.fields as Fields, value as object);
  if (field.type !== 'repeat') return value;
  return (value as object[]).map((entry) => linked(seed, field.fields as Fields, entry));
}

/** Mostly of a model that the field allows. */
function targetId(seed: Seed, { model }: Extract<Field, { type: 'reference' }>, target: number): number {
  const allowed = seed.contents.filter((content) => model === undefined || content.model === model);
  return numbered(target === HIGHEST - 1 ? seed.contents : allowed, target);
}

/** §4.10, and §1: whatever the values link to is there, not archived, and of a model that the field allows. */
export function linksExist(seed: Seed, fields: Fields, values: Values): boolean {
  return Object.entries(values).every(([luid, value]) => {
    const field = own(fields, luid) as Field;
    if (value === null) return true;
    if (field.type === 'media') return seed.media.some(({ id, archived }) => id === value && !archived);
    if (field.type === 'reference') {
      const target = seed.contents.find(({ id, archived }) => id === value && !archived);
      return target !== undefined && (field.model === undefined || field.model === target.model);
    }
    if (field.type === 'field_set') return linksExist(seed, field.fields as Fields, value as Values);
    if (field.type !== 'repeat') return true;
    return (value as Values[]).every((entry) => linksExist(seed, field.fields as Fields, entry));
  });
}
