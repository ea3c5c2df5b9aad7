import { SYSTEM_TIMES } from '../../contract/content.ts';
import type { Operator } from '../../contract/parameters.ts';
import { titleField } from '../../models/title-field.ts';
import type { ValueTest } from '../fields/field-behaviour.ts';
import { testId, testInstant, testText } from '../fields/operator-conditions.ts';
import { getOrCreate } from '../get-or-create.ts';
import { dataInView, type Item, statusOf, type View } from '../state/item.ts';
import { getOwn } from '../state/own-property.ts';
import type { State } from '../state/state.ts';

/** How a system property (§2.1) is read and filtered. */
interface SystemProperty {
  value(item: Item, view: View, state: State): string | number | null;
  readonly operators: readonly Operator[];
  test(operator: Operator, operand: string): ValueTest;
}

const timeProperty = (value: SystemProperty['value']): SystemProperty => ({
  value,
  operators: ['lt', 'lte', 'gt', 'gte'],
  test: testInstant,
});
const nameProperty = (value: SystemProperty['value']): SystemProperty => ({
  value,
  operators: ['eq', 'in'],
  test: (operator, operand) => testText(operator, operand),
});

const SYSTEM_PROPERTIES_BY_NAME: { readonly [property: string]: SystemProperty } = {
  _id: { value: (item) => item.id, operators: ['eq', 'in'], test: testId },
  _model: nameProperty((item) => item.model),
  _title: { ...nameProperty(titleOf), operators: ['eq', 'in', 'contains'] },
  _created_at: timeProperty((item) => item.createdAt),
  _updated_at: timeProperty((item) => item.updatedAt),
  _published_at: timeProperty((item) => item.publishedAt),
  _last_published_at: timeProperty(lastPublishedAt),
  _status: nameProperty(statusOf),
  _space: nameProperty((item) => item.space),
};

/** §2.1: content last published before has equal `_published_at` and `_last_published_at`. */
const LAST_PUBLICATION_RECORDED_SINCE = Date.UTC(2025, 5, 26);

function lastPublishedAt({ lastPublishedAt, publishedAt }: Item): number | null {
  return lastPublishedAt !== null && lastPublishedAt < LAST_PUBLICATION_RECORDED_SINCE
    ? publishedAt
    : lastPublishedAt;
}

export function getSystemProperty(property: string): SystemProperty {
  const found = getOwn(SYSTEM_PROPERTIES_BY_NAME, property);
  if (!found) throw new TypeError(`${property} is not a system property`);
  return found;
}

export function isSystemTime(property: string): boolean {
  return (SYSTEM_TIMES as readonly string[]).includes(property);
}

/** §2.1: the value of the model's title field. */
function titleOf(item: Item, view: View, state: State): string {
  const luid = cachedTitleField(state, item.model);
  const title = luid === undefined ? undefined : getOwn(dataInView(item, view), luid);
  return typeof title === 'string' ? title : '';
}

function cachedTitleField(state: State, model: string): string | undefined {
  const fields = state.fields(model);
  if (!fields) return undefined;
  return getOrCreate(titles, fields, () => titleField(fields) ?? null) ?? undefined;
}

const titles = new WeakMap<object, string | null>();
