import { SYSTEM_PROPERTIES } from '../../contract/content.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import type { Assumptions } from '../assumptions.ts';
import type { Values } from '../fields/field-behaviour.ts';
import { behaviourOf } from '../fields/index.ts';
import { badRequest } from '../http/refusal.ts';
import { type Item, shownData, type View } from '../state/item.ts';
import { own } from '../state/own.ts';
import type { State } from '../state/state.ts';
import { systemProperty } from './system.ts';

type Key = string | number | boolean | null | undefined;

/** One part of an order: what an item is sorted by, and in which direction. */
export interface OrderTerm {
  key(item: Item): Key;
  readonly descending: boolean;
}

/** §4.1: `order`, for the models that the list asks for. */
export function compileOrder(
  order: string,
  models: readonly string[],
  view: View,
  state: State,
  assumptions: Assumptions,
): OrderTerm[] {
  const terms = new Map<string, OrderTerm>();
  for (const part of order.split(',').map((text) => text.trim())) {
    if (part === '') continue;
    const descending = part.startsWith('-');
    const path = descending ? part.slice(1) : part;
    if (terms.has(path)) continue;
    const key = compileKey(path, models, view, state, assumptions);
    if (key) terms.set(path, { key, descending });
  }
  return [...terms.values()];
}

function compileKey(
  path: string,
  models: readonly string[],
  view: View,
  state: State,
  { unknownField }: Assumptions,
): OrderTerm['key'] | undefined {
  if ((SYSTEM_PROPERTIES as readonly string[]).includes(path)) {
    const { value } = systemProperty(path);
    return (item) => value(item, view, state);
  }
  const segments = path.split('.');
  const keys = new Map<string, (values: Values) => Key>();
  let known = false;
  for (const model of models) {
    const key = keyIn(state.fields(model) ?? {}, segments);
    if (key) keys.set(model, key);
    known ||= key !== undefined;
  }
  const usable = [...keys].filter(([, key]) => key !== NO_ORDER);
  if (usable.length === 0) {
    if (known || unknownField === 'error') throw badRequest();
    return undefined;
  }
  const usableKeys = new Map(usable);
  return (item) => usableKeys.get(item.model)?.(shownData(item, view) ?? {});
}

const NO_ORDER = (): Key => undefined;

/** How a group of values is ordered by a path; `NO_ORDER` if not at all; `undefined` if there is no such field. */
function keyIn(
  fields: FieldsBase,
  [luid = '', ...rest]: readonly string[],
): ((values: Values) => Key) | undefined {
  const field = own(fields, luid);
  if (!field) return undefined;
  const behaviour = behaviourOf(field);
  if (rest.length === 0) {
    const { orderKey } = behaviour;
    if (!orderKey) return NO_ORDER;
    return (values) => {
      const kept = own(values, luid);
      return kept === undefined ? undefined : orderKey(kept);
    };
  }
  const inside = behaviour.inside?.(field);
  if (inside?.via !== 'set') return NO_ORDER;
  const inner = keyIn(inside.fields, rest);
  if (!inner || inner === NO_ORDER) return inner;
  return (values) => inner((own(values, luid) as Values | undefined) ?? {});
}

/** Compares two keys: empty ones last; where models differ in type, booleans, then numbers, then texts. */
export function compareKeys(a: Key, b: Key): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : 1;
  const rankA = rank(a);
  const rankB = rank(b);
  if (rankA !== rankB) return rankA - rankB;
  if (rankA === EMPTY) return 0;
  return (a as string) < (b as string) ? -1 : 1;
}

const EMPTY = 3;

function rank(key: Key): number {
  if (key === undefined || key === null || key === '') return EMPTY;
  if (typeof key === 'boolean') return 0;
  return typeof key === 'number' ? 1 : 2;
}
