import { timeOf } from '../../contract/item-times.ts';
import type { BuiltPages } from './built-pages.ts';
import { alterItem, type Changes } from './changes.ts';
import type { ModelView, SiteModel } from './site-content.ts';

/** Where a marker is: a field of an item in a language. */
export interface Marked {
  readonly model: SiteModel;
  readonly view: ModelView;
  readonly id: number;
  readonly field: string;
}

const MARKER = /luid[0-9a-z]{4,}x/gi;

/** Words that occur nowhere else, one for each field of an item in a language. */
export class Markers {
  readonly #places: Marked[] = [];
  readonly #markers = new Map<string, string>();

  /** The marker of a place, always the same. */
  of(model: SiteModel, view: ModelView, id: number, field: string): string {
    const place = JSON.stringify([view.key, id, field]);
    const known = this.#markers.get(place);
    if (known !== undefined) return known;
    const marker = `luid${this.#places.length.toString(36).padStart(4, '0')}x`;
    this.#places.push({ model, view, id, field });
    this.#markers.set(place, marker);
    return marker;
  }

  /** The places whose markers a page shows. */
  in(html: string): Marked[] {
    const found = new Set(html.match(MARKER)?.map((marker) => marker.toLowerCase()));
    return [...found].flatMap((marker) => this.#places[Number.parseInt(marker.slice(4, -1), 36)] ?? []);
  }
}

/** How many items of a model are marked per language: the newest, and as many others. */
const MAX_NEWEST = 150;

/** Marks the texts of all items, so that one build shows which page shows what. */
export function markEverything(models: readonly SiteModel[], markers: Markers): Changes {
  const changes: Record<string, { set: ReturnType<typeof alterItem>[]; remove: number[] }> = {};
  for (const model of models) {
    for (const view of model.views) {
      const own = changes[view.key] ?? { set: [], remove: [] };
      changes[view.key] = own;
      const markerOf = (one: ModelView, id: number, field: string) => markers.of(model, one, id, field);
      for (const item of someOf(view)) own.set.push(alterItem(model, view, item, 'texts', markerOf));
    }
  }
  return changes;
}

function someOf({ items }: ModelView) {
  const all = [...items.values()].sort((a, b) => timeOf(b, '_created_at') - timeOf(a, '_created_at'));
  const rest = all.slice(MAX_NEWEST);
  const step = Math.max(1, Math.ceil(rest.length / MAX_NEWEST));
  return [...all.slice(0, MAX_NEWEST), ...rest.filter((_, index) => index % step === 0)];
}

/** What each page shows. */
export type ShownBy = ReadonlyMap<string, readonly Marked[]>;

export function findShown(pages: BuiltPages, markers: Markers): ShownBy {
  return new Map([...pages].map(([path, { html }]) => [path, markers.in(html)]));
}

/** How many items of a model are changed, one after the other. */
const MAX_ITEMS = 3;

/**
 * A few items of a model that together are shown by every route that shows any. A change of one of them alone is what
 * each of these routes has to notice.
 */
export function representativeItems(model: SiteModel, pages: BuiltPages, shown: ShownBy): number[] {
  const routes = new Map<number, Set<string>>();
  const counts = new Map<number, number>();
  for (const [path, places] of shown) {
    const ids = new Set(places.filter((place) => place.model === model).map(({ id }) => id));
    for (const id of ids) {
      routes.set(id, (routes.get(id) ?? new Set()).add(pages.get(path)?.component ?? ''));
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  const languages = (id: number) => model.views.filter(({ items }) => items.has(id)).length;
  const candidates = [...routes.keys()].sort(
    (a, b) => languages(b) - languages(a) || (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a - b,
  );
  const covered = new Set<string>();
  const gain = (id: number) => [...(routes.get(id) ?? [])].filter((route) => !covered.has(route)).length;
  const chosen: number[] = [];
  while (chosen.length < MAX_ITEMS) {
    const [best] = candidates.filter((id) => gain(id) > 0).sort((a, b) => gain(b) - gain(a));
    if (best === undefined) break;
    chosen.push(best);
    for (const route of routes.get(best) ?? []) covered.add(route);
  }
  if (chosen.length > 0) return chosen;
  const [first] = model.views.flatMap(someOf);
  return first ? [first._id] : [];
}

/** An item that is shown beside another, to exchange places with. */
export function neighbourOf(
  model: SiteModel,
  id: number,
  shown: ShownBy,
  differs: (other: number) => boolean,
): number | undefined {
  const counts = new Map<number, number>();
  for (const places of shown.values()) {
    const ids = new Set(places.filter((place) => place.model === model).map((place) => place.id));
    if (ids.has(id)) for (const other of ids) counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  const others = [...counts.keys(), ...model.views.flatMap(({ items }) => [...items.keys()])];
  const [best] = others
    .filter((other) => other !== id && differs(other))
    .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  return best;
}

/** Whether one of these pages shows a field in a language; of fields without text that is not known. */
export function mayShow(
  shown: ShownBy,
  pages: Iterable<{ readonly path: string }>,
  { model, view, field }: Omit<Marked, 'id'>,
): boolean {
  const isField = (one: Marked) => one.model === model && one.field === field;
  if (![...shown.values()].flat().some(isField)) return true;
  const places = [...pages].flatMap(({ path }) => shown.get(path) ?? []);
  return places.some((one) => isField(one) && one.view === view);
}
