import { type FieldBase, type FieldsBase, isEmpty } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import { mapValues, setOwn } from '../../models/walk.ts';
import { isRecord } from '../../shared/is-record.ts';
import { getOrCreate } from '../get-or-create.ts';
import { getOwn } from '../state/own-property.ts';
import type { FieldBehaviour, ParseContext, Values } from './field-behaviour.ts';
import { behaviourOf } from './index.ts';

interface Entry {
  readonly luid: string;
  readonly field: FieldBase;
  readonly behaviour: FieldBehaviour;
}

const entries = new WeakMap<FieldsBase, readonly Entry[]>();

/** The fields of a group with their behaviour, looked up once per group. */
export function entriesOf(fields: FieldsBase): readonly Entry[] {
  return getOrCreate(entries, fields, () =>
    Object.entries(fields).map(([luid, field]) => ({ luid, field, behaviour: behaviourOf(field) })),
  );
}

/** How the values of a seed or a write request are parsed. */
export interface ParseOptions {
  /** Throws an error for the value at a path. */
  readonly refuse: (path: string, problem: string) => never;
  readonly time: ParseContext['time'];
  /** Converts flexible text to HTML. Default: it is HTML. */
  readonly html?: ParseContext['html'];
  /** Checks more than the shape of a value. Called for empty values too, but not for `null`. */
  readonly check?: (field: FieldBase, value: unknown, path: string) => void;
  /** Empty values of other types are refused, such as `''` for a number. */
  readonly refuseOtherEmpty?: boolean;
  /** Parses one field, or one entry of a list; it is omitted if the result is `undefined`. Default: `parse()`. */
  readonly attempt?: <T>(parse: () => T) => T | undefined;
}

/** Parses a group of values in the format of write requests. Empty values are omitted. */
export function parseGroup(fields: FieldsBase, values: unknown, path: string, options: ParseOptions): Values {
  if (!isRecord(values)) return options.refuse(path, 'is not an object of field values');
  const { attempt = (parse) => parse() } = options;
  const parsed: Record<string, unknown> = {};
  for (const [luid, value] of Object.entries(values)) {
    const stored = attempt(() => parseField(fields, luid, value, `${path}.${luid}`, options));
    if (!isEmpty(stored)) setOwn(parsed, luid, stored);
  }
  return parsed;
}

function parseField(
  fields: FieldsBase,
  luid: string,
  value: unknown,
  path: string,
  options: ParseOptions,
): unknown {
  const field = getOwn(fields, luid);
  if (!field) return options.refuse(path, `is not a field; the fields are ${Object.keys(fields).join(', ')}`);
  if (value !== null) options.check?.(field, value, path);
  // A write request may empty a field with `null`, or with an empty value of its type.
  if (value === null || (isEmpty(value) && !options.refuseOtherEmpty)) return undefined;
  const { attempt = (parse) => parse() } = options;
  return behaviourOf(field).parse(field, value, {
    refuse: (expected) =>
      options.refuse(path, `must be ${expected}, not ${JSON.stringify(value)?.slice(0, 60)}`),
    time: options.time,
    html: options.html ?? ((html) => html),
    group: (below, inner, group) => parseGroup(inner, group, `${path}${below}`, options),
    list: (entries, parse) => entries.flatMap((entry, index) => attempt(() => parse(entry, index)) ?? []),
  });
}

/** Stored values with changes applied. `parsed` are the changes as `parseGroup` returned them: without empty values. */
export function mergeValues(values: Values | undefined, changes: object, parsed: Values): Values {
  const merged: Record<string, unknown> = { ...values };
  for (const luid of Object.keys(changes)) {
    const stored = getOwn(parsed, luid);
    if (stored !== undefined) setOwn(merged, luid, stored);
    else delete merged[luid];
  }
  return merged;
}

/** The reverse of `parseGroup`. */
export function toWriteValues(fields: FieldsBase, values: Values): Record<string, unknown> {
  const serialized: Record<string, unknown> = {};
  for (const { luid, field, behaviour } of entriesOf(fields)) {
    const stored = getOwn(values, luid);
    if (stored === undefined) continue;
    const { toWriteValue = (value) => groupsToWriteValues(field, value) } = behaviour;
    setOwn(serialized, luid, toWriteValue(stored));
  }
  return serialized;
}

function groupsToWriteValues(field: FieldBase, value: unknown): unknown {
  const { mapGroups = () => value } = fieldTypeOf(field);
  return mapGroups(field, value, (_below, fields, values) => toWriteValues(fields, values));
}

/** All strings of a group that a search covers, at any depth, but not those of referenced content. */
export function searchTextsOf(fields: FieldsBase, values: Values): string[] {
  const texts: string[] = [];
  mapValues(fields, values, ({ field, value }) => {
    const { searchText } = behaviourOf(field);
    if (searchText) texts.push(searchText(value));
    return value;
  });
  return texts;
}
