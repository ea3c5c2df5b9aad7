import type { WireContent } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import type { Fields } from '../../models/types.ts';
import { mapValues } from '../../models/walk.ts';
import type { AuditInstructions, ItemChanges } from '../../space/audited-content.ts';
import { cliFieldTypeOf } from '../field-types/index.ts';
import {
  type Alteration,
  type AlterValue,
  alterMedia,
  alterReference,
  alterRichText,
  alterText,
  alterUnknown,
  isIdentifier,
} from './alter-value.ts';
import type { ModelView, SiteModel } from './site-content.ts';

export type Changes = AuditInstructions['changes'];

/** Which fields of an item to alter: those that pages show, only those that people read, URL parts, or one field. */
export type FieldChoice = 'shown' | 'texts' | 'identifiers' | { readonly field: string };

/** A marker for each field of an item in a language. */
export type MarkerOf = (view: ModelView, id: number, field: string) => string;

/** The item with other values, and new times of editing. Equal fields stay as they are. */
export function alterItem(
  model: SiteModel,
  view: ModelView,
  item: WireContent,
  choice: FieldChoice,
  markerOf: MarkerOf,
): WireContent {
  const luids = typeof choice === 'object' ? [choice.field] : Object.keys(model.fields);
  const chosen = Object.fromEntries(luids.map((luid) => [luid, model.fields[luid]])) as Fields;
  const altered = mapValues(chosen, touch(item), ({ field, value, path }) => {
    const { alter } = cliFieldTypeOf(field);
    const isUrlPart = alter === alterText && isIdentifier(value);
    if (!isChosen(choice, alter, isUrlPart)) return value;
    const [luid = ''] = path.split(/[.[]/, 1);
    const marker = markerOf(view, item._id, luid);
    const others = otherValues(model.fields, luid, view.items, item._id, path);
    return alter?.(value, { marker, others, field: field as Alteration['field'] }) ?? value;
  });
  // The title is the value of a field.
  const isTitle = (luid: string) => item[luid] === item._title && altered[luid] !== item[luid];
  const title = altered[luids.find(isTitle) ?? '_title'];
  return typeof title === 'string' ? { ...altered, _title: title } : altered;
}

/** Text, whose marker shows where it is shown. */
const TEXTS = new Set<AlterValue | undefined>([alterText, alterRichText, alterMedia, alterUnknown]);

function isChosen(choice: FieldChoice, alter: AlterValue | undefined, isUrlPart: boolean): boolean {
  if (choice === 'identifiers') return isUrlPart;
  if (choice === 'texts') return !isUrlPart && TEXTS.has(alter);
  // Another reference moves an item between lists, whose keys change for that reason.
  return typeof choice === 'object' || (!isUrlPart && alter !== alterReference);
}

/** How many items to search for other values. */
const MAX_OTHERS = 50;

/** The values at the same place of other items. */
function otherValues(
  fields: SiteModel['fields'],
  luid: string,
  items: ModelView['items'],
  own: number,
  path: string,
): unknown[] {
  const place = withoutIndexes(path);
  const values: unknown[] = [];
  let searched = 0;
  for (const item of items.values()) {
    if (item._id === own) continue;
    if (searched++ === MAX_OTHERS) break;
    mapValues({ [luid]: fields[luid] as never }, { [luid]: item[luid] }, (found) => {
      if (withoutIndexes(found.path) === place) values.push(found.value);
      return found.value;
    });
  }
  return values;
}

const withoutIndexes = (path: string) => path.replaceAll(/\[\d+\]/g, '[]');

/** In milliseconds; also visible in times without seconds. */
const EDITED_LATER = 3_661_000;

/** As if it was edited and published again, without a change of its fields. */
export function touch(item: WireContent): WireContent {
  const later = <T extends string | null>(time: T) => {
    const instant = Date.parse(time ?? '');
    return Number.isNaN(instant) ? time : new Date(instant + EDITED_LATER).toISOString();
  };
  return {
    ...item,
    _updated_at: later(item._updated_at),
    _last_published_at: later(item._last_published_at),
  };
}

/** The same change in every language that has the item. */
export function inEveryLanguage(
  { views }: SiteModel,
  id: number,
  change: (item: WireContent, view: ModelView) => Partial<ItemChanges>,
): Changes {
  const changes = views.flatMap((view) => {
    const item = view.items.get(id);
    return item ? [[view.key, { set: [], remove: [], ...change(item, view) }] as const] : [];
  });
  return Object.fromEntries(changes);
}

export function onlyIn(view: ModelView, ...set: readonly WireContent[]): Changes {
  return { [view.key]: { set, remove: [] } };
}

/** A copy of an item with an id of its own, newer than all others. */
export function addCopy(model: SiteModel, id: number, markerOf: MarkerOf): Changes {
  const all = model.views.flatMap(({ items }) => [...items.values()]);
  const newest = Math.max(...all.map((item) => Math.max(timeOf(item, '_updated_at'), 0)));
  const now = new Date(newest + 3_600_000).toISOString();
  // Greater than any content ID that is likely, and exact.
  const newId = 900_000_000 + id;
  return inEveryLanguage(model, id, (item, view) => {
    const altered = alterItem(model, view, item, 'shown', markerOf);
    const renamed = alterItem(model, view, altered, 'identifiers', markerOf);
    const times = { _created_at: now, _updated_at: now, _published_at: now, _last_published_at: now };
    return { set: [{ ...renamed, ...times, _id: newId }] };
  });
}

/** Two items exchange their times: of publication, and those of their fields. */
export function exchangeTimes(model: SiteModel, one: number, other: number): Changes {
  const views = model.views.flatMap((view) => {
    const [a, b] = [view.items.get(one), view.items.get(other)];
    if (!a || !b) return [];
    return [[view.key, { set: [withTimesOf(model, a, b), withTimesOf(model, b, a)], remove: [] }] as const];
  });
  return Object.fromEntries(views);
}

function withTimesOf({ fields }: SiteModel, item: WireContent, other: WireContent): WireContent {
  const times = Object.keys(fields).filter((luid) => isTime(fields[luid] as { type: string }));
  const taken = times.filter((luid) => item[luid] && other[luid]).map((luid) => [luid, other[luid]]);
  const published = item._published_at && other._published_at ? { _published_at: other._published_at } : {};
  return { ...touch(item), ...published, ...Object.fromEntries(taken) };
}

function isTime(field: { readonly type: string }): boolean {
  return cliFieldTypeOf(field).builder === 'datetime';
}

/** Whether exchanging the times of two items changes anything. */
export function timesDiffer(model: SiteModel, one: number, other: number): boolean {
  return model.views.some(({ items }) => {
    const [a, b] = [items.get(one), items.get(other)];
    if (!a || !b) return false;
    const { _updated_at, _last_published_at, ...changed } = withTimesOf(model, a, b);
    return Object.entries(changed).some(([name, value]) => a[name] !== value);
  });
}

/** The fields that the changes alter in an item. */
export function changedFields(changes: Changes, item: WireContent): string[] {
  const [altered] = Object.values(changes).flatMap(({ set }) => set);
  return Object.keys(altered ?? {}).filter((name) => !name.startsWith('_') && altered?.[name] !== item[name]);
}
