import { type FieldBase, type FieldsBase, isEmpty, isRecord } from '../../models/field-types/field-type.ts';
import { setOwn } from '../../models/walk.ts';
import { getOwn } from '../state/own-property.ts';
import type { Emulated, Intake, Values } from './field-behaviour.ts';
import { emulated } from './index.ts';

interface Entry {
  readonly luid: string;
  readonly field: FieldBase;
  readonly kind: Emulated;
}

const entries = new WeakMap<FieldsBase, readonly Entry[]>();

/** The fields of a group with their kinds, looked up once per group. */
export function entriesOf(fields: FieldsBase): readonly Entry[] {
  let known = entries.get(fields);
  if (!known) {
    known = Object.entries(fields).map(([luid, field]) => ({ luid, field, kind: emulated(field) }));
    entries.set(fields, known);
  }
  return known;
}

export type Refuse = (place: string, problem: string) => never;

/** Who takes values in. */
export interface Taker {
  readonly refuse: Refuse;
  readonly time: Intake['time'];
  /** From the format in which flexible text comes. Default: it is HTML. */
  readonly html?: Intake['html'];
  /** What more is asked of a value than its shape. It sees empty ones too, but not `null`. */
  readonly judge?: (field: FieldBase, value: unknown, place: string) => void;
}

/** Takes in a group of values in the write shapes. Empty ones are left out. */
export function takeGroup(fields: FieldsBase, values: unknown, place: string, context: Taker): Values {
  if (!isRecord(values)) return context.refuse(place, 'is no object of field values');
  const taken: Record<string, unknown> = {};
  for (const [luid, value] of Object.entries(values)) {
    const field = getOwn(fields, luid);
    const here = `${place}.${luid}`;
    if (!field) return context.refuse(here, `is no field; there are ${Object.keys(fields).join(', ')}`);
    if (value !== null) context.judge?.(field, value, here);
    if (isEmpty(value)) continue;
    const intake: Intake = {
      refuse: (expected) =>
        context.refuse(here, `must be ${expected}, not ${JSON.stringify(value)?.slice(0, 60)}`),
      time: context.time,
      html: context.html ?? ((text) => text),
      group: (below, inner, given) => takeGroup(inner, given, `${here}${below}`, context),
    };
    const kept = emulated(field).take(field, value, intake);
    if (!isEmpty(kept)) setOwn(taken, luid, kept);
  }
  return taken;
}

/** A group of values under those that were taken of `given`; what was given and is empty empties. */
export function overlay(values: Values | undefined, given: object, taken: Values): Values {
  const merged: Record<string, unknown> = { ...values };
  for (const luid of Object.keys(given)) {
    const kept = getOwn(taken, luid);
    if (kept !== undefined) setOwn(merged, luid, kept);
    else delete merged[luid];
  }
  return merged;
}

/** The reverse of `takeGroup`. */
export function giveGroup(fields: FieldsBase, values: Values): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const { luid, field, kind } of entriesOf(fields)) {
    const kept = getOwn(values, luid);
    if (kept !== undefined) setOwn(given, luid, kind.give ? kind.give(field, kept, giveGroup) : kept);
  }
  return given;
}

/** Every text in a group, however deep, but not in what it refers to. */
export function textsOf(fields: FieldsBase, values: Values): string[] {
  const texts: string[] = [];
  for (const { luid, field, kind } of entriesOf(fields)) {
    const kept = kind.texts && getOwn(values, luid);
    if (kept !== undefined && kind.texts) texts.push(...kind.texts(field, kept, textsOf));
  }
  return texts;
}
