import { SYSTEM_PROPERTIES } from '../../contract/content.ts';
import { childGroups } from '../../models/child-groups.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import type { Values } from '../fields/field-behaviour.ts';
import { behaviourOf } from '../fields/index.ts';
import { badRequest } from '../http/http-error.ts';
import { dataInView, type Item } from '../state/item.ts';
import { getOwn } from '../state/own-property.ts';
import type { QueryContext } from './compile-filter.ts';
import { getSystemProperty } from './system-properties.ts';

type Key = string | number | boolean | null | undefined;

/** One sort criterion. */
export interface OrderTerm {
  key(item: Item): Key;
  readonly descending: boolean;
}

/** §4.1: compiles `order` for the requested models. */
export function compileOrder(order: string, models: readonly string[], context: QueryContext): OrderTerm[] {
  const terms = new Map<string, OrderTerm>();
  for (const part of order.split(',').map((text) => text.trim())) {
    if (part === '') continue;
    const descending = part.startsWith('-');
    const path = descending ? part.slice(1) : part;
    if (terms.has(path)) continue;
    const key = compileKey(path, models, context);
    if (key) terms.set(path, { key, descending });
  }
  return [...terms.values()];
}

function compileKey(
  path: string,
  models: readonly string[],
  { view, state, assumptions }: QueryContext,
): OrderTerm['key'] | undefined {
  if ((SYSTEM_PROPERTIES as readonly string[]).includes(path)) {
    const { value } = getSystemProperty(path);
    return (item) => value(item, view, state);
  }
  const segments = path.split('.');
  const keys = new Map<string, (values: Values) => Key>();
  for (const model of models) {
    const key = compileFieldKey(state.fields(model) ?? {}, segments);
    if (key) keys.set(model, key);
  }
  if ([...keys.values()].some((key) => key !== NOT_SORTABLE)) {
    return (item) => keys.get(item.model)?.(dataInView(item, view) ?? {});
  }
  if (keys.size > 0 || assumptions.unknownField === 'error') throw badRequest();
  return undefined;
}

const NOT_SORTABLE = (): Key => undefined;

/** The sort key at a path in a group of values; `undefined` if there is no such field. */
function compileFieldKey(
  fields: FieldsBase,
  [luid = '', ...rest]: readonly string[],
): ((values: Values) => Key) | undefined {
  const field = getOwn(fields, luid);
  if (!field) return undefined;
  if (rest.length === 0) {
    const { orderKey } = behaviourOf(field);
    if (!orderKey) return NOT_SORTABLE;
    return (values) => {
      const value = getOwn(values, luid);
      return value === undefined ? undefined : orderKey(value);
    };
  }
  const [child] = fieldTypeOf(field).filterInside === 'group' ? childGroups(field) : [];
  if (!child) return NOT_SORTABLE;
  const inner = compileFieldKey(child[1], rest);
  if (!inner || inner === NOT_SORTABLE) return inner;
  return (values) => inner((getOwn(values, luid) as Values | undefined) ?? {});
}

/** Compares two sort keys. Empty ones are last; of different types, booleans come before numbers before strings. */
export function compareKeys(a: Key, b: Key): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : 1;
  const rankA = rank(a);
  const rankB = rank(b);
  if (rankA !== rankB) return rankA - rankB;
  if (rankA === EMPTY_RANK) return 0;
  return (a as string) < (b as string) ? -1 : 1;
}

const EMPTY_RANK = 3;

function rank(key: Key): number {
  if (key === undefined || key === null || key === '') return EMPTY_RANK;
  if (typeof key === 'boolean') return 0;
  return typeof key === 'number' ? 1 : 2;
}
