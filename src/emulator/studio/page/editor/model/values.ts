import type { SeedFields } from '../../../../state/seed-types.ts';
import type { StudioField } from '../../../studio-types.ts';
import { instantOf } from './instants.ts';

/** The values of one language in the write format of §4.10, by field LUID. */
export type Values = SeedFields;

/** What is written in a field for JSON while it is not valid JSON. It is kept, but cannot be saved. */
export class UnparsedJson {
  readonly text: string;
  readonly problem: string;

  constructor(text: string, problem: string) {
    this.text = text;
    this.problem = problem;
  }
}

export interface Block {
  readonly luid: string;
  readonly fields: Values;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isBlock(value: unknown): value is Block {
  return isRecord(value) && typeof value.luid === 'string' && isRecord(value.fields);
}

/** `__proto__` and `constructor` are valid LUIDs. */
export function getOwn<T>(values: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return values && Object.hasOwn(values, key) ? values[key] : undefined;
}

/** The fields of a block, or `undefined` if its set was removed from the model. */
export function fieldsOfSet(field: StudioField, luid: string): readonly StudioField[] | undefined {
  return field.sets?.find((set) => set.luid === luid)?.fields;
}

/** A group is empty if all of its fields are; a list only if it has no entries. */
export function isEmptyValue(field: StudioField, value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0 && field.control !== 'json';
  if (field.control !== 'group' || !isRecord(value)) return false;
  return (field.fields ?? []).every((inner) => isEmptyValue(inner, getOwn(value, inner.luid)));
}

/** Whether two values of a field mean the same: all empty values do, and the same time in two zones. */
export function isSameValue(field: StudioField, a: unknown, b: unknown): boolean {
  const isEmpty = isEmptyValue(field, a);
  if (isEmpty || isEmptyValue(field, b)) return isEmpty && isEmptyValue(field, b);
  switch (field.control) {
    case 'datetime':
      return a === b || (instantOf(a) !== undefined && instantOf(a) === instantOf(b));
    case 'group':
      return isSameGroup(field.fields ?? [], a, b);
    case 'list':
      return isSameList(a, b, (one, other) => isSameGroup(field.fields ?? [], one, other));
    case 'blocks':
      return isSameList(a, b, (one, other) => isSameBlock(field, one, other));
    default:
      return isDeepEqual(a, b);
  }
}

function isSameGroup(fields: readonly StudioField[], a: unknown, b: unknown): boolean {
  if (!isRecord(a) || !isRecord(b)) return isDeepEqual(a, b);
  return fields.every((field) => isSameValue(field, getOwn(a, field.luid), getOwn(b, field.luid)));
}

function isSameBlock(field: StudioField, a: unknown, b: unknown): boolean {
  const fields = isBlock(a) && fieldsOfSet(field, a.luid);
  if (!isBlock(a) || !isBlock(b) || !fields) return isDeepEqual(a, b);
  return a.luid === b.luid && isSameGroup(fields, a.fields, b.fields);
}

function isSameList(a: unknown, b: unknown, isSame: (one: unknown, other: unknown) => boolean): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return isDeepEqual(a, b);
  return a.length === b.length && a.every((entry, index) => isSame(entry, b[index]));
}

function isDeepEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && isSameList(a, b, isDeepEqual);
  if (!isRecord(a) || !isRecord(b)) return Object.is(a, b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isDeepEqual(a[key], b[key]))
  );
}

/** The fields whose values differ. */
export function findChanges(
  fields: readonly StudioField[],
  before: Values | undefined,
  after: Values | undefined,
): StudioField[] {
  return fields.filter((field) => !isSameValue(field, getOwn(before, field.luid), getOwn(after, field.luid)));
}

/** The values to send: those that differ, `null` for an emptied field. */
export function pickChanges(
  fields: readonly StudioField[],
  before: Values | undefined,
  after: Values,
): SeedFields {
  const changed = findChanges(fields, before, after);
  return Object.fromEntries(
    changed.map((field) => [field.luid, toWriteValue(field, getOwn(after, field.luid))]),
  );
}

/** A value as the emulator takes it: an empty one is `null`, at any depth. */
function toWriteValue(field: StudioField, value: unknown): unknown {
  if (isEmptyValue(field, value)) return null;
  if (field.control === 'group') return toWriteGroup(field.fields ?? [], value);
  if (!Array.isArray(value)) return value;
  if (field.control === 'list') return value.map((entry) => toWriteGroup(field.fields ?? [], entry));
  if (field.control !== 'blocks') return value;
  return value.map((block) => {
    const fields = isBlock(block) && fieldsOfSet(field, block.luid);
    return fields ? { luid: block.luid, fields: toWriteGroup(fields, block.fields) } : block;
  });
}

function toWriteGroup(fields: readonly StudioField[], group: unknown): unknown {
  if (!isRecord(group)) return group;
  const given = fields.filter((field) => !isEmptyValue(field, getOwn(group, field.luid)));
  return Object.fromEntries(
    given.map((field) => [field.luid, toWriteValue(field, getOwn(group, field.luid))]),
  );
}
