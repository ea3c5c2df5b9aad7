import { SYSTEM_TIMES } from '../../contract/content.ts';
import type { Operator } from '../../contract/parameters.ts';
import { titleField } from '../../models/title-field.ts';
import type { ValueTest } from '../fields/field-behaviour.ts';
import { testId, testInstant, testText } from '../fields/operator-conditions.ts';
import { type Item, shownData, statusOf, type View } from '../state/item.ts';
import { own } from '../state/own.ts';
import type { State } from '../state/state.ts';

/** How a system property (§2.1) is read, and which conditions it takes. */
interface SystemAccess {
  value(item: Item, view: View, state: State): string | number | null;
  readonly operators: readonly Operator[];
  test(operator: Operator, operand: string): ValueTest;
}

const time = (value: SystemAccess['value']): SystemAccess => ({
  value,
  operators: ['lt', 'lte', 'gt', 'gte'],
  test: testInstant,
});
const name = (value: SystemAccess['value']): SystemAccess => ({
  value,
  operators: ['eq', 'in'],
  test: (operator, operand) => testText(operator, operand),
});

const ACCESS: { readonly [property: string]: SystemAccess } = {
  _id: { value: (item) => item.id, operators: ['eq', 'in'], test: testId },
  _model: name((item) => item.model),
  _title: { ...name(titleOf), operators: ['eq', 'in', 'contains'] },
  _created_at: time((item) => item.createdAt),
  _updated_at: time((item) => item.updatedAt),
  _published_at: time((item) => item.publishedAt),
  _last_published_at: time(lastPublishedAt),
  _status: name(statusOf),
  _space: name((item) => item.space),
};

/** §2.1: content last published on or before this day has but one time of publication. */
const RECORDED_SINCE = Date.UTC(2025, 5, 26);

function lastPublishedAt({ lastPublishedAt, publishedAt }: Item): number | null {
  return lastPublishedAt !== null && lastPublishedAt < RECORDED_SINCE ? publishedAt : lastPublishedAt;
}

export function systemProperty(property: string): SystemAccess {
  const access = own(ACCESS, property);
  if (!access) throw new TypeError(`${property} is no system property`);
  return access;
}

export function isSystemTime(property: string): boolean {
  return (SYSTEM_TIMES as readonly string[]).includes(property);
}

/** §2.1: the value of the model's title field, in the data that is shown. */
function titleOf(item: Item, view: View, state: State): string {
  const luid = cachedTitleField(state, item.model);
  const title = luid === undefined ? undefined : own(shownData(item, view), luid);
  return typeof title === 'string' ? title : '';
}

function cachedTitleField(state: State, model: string): string | undefined {
  const fields = state.fields(model);
  if (!fields) return undefined;
  let luid = titles.get(fields);
  if (luid === undefined) {
    luid = titleField(fields) ?? null;
    titles.set(fields, luid);
  }
  return luid ?? undefined;
}

const titles = new WeakMap<object, string | null>();
