import type { ShownEntry } from '../../../src/astro/feeds/shown-entry.ts';

const at = (day: number) => new Date(Date.UTC(2026, 0, day));

/** The data of an item that was created, updated and published on the first of January. */
export function itemData(id: number, more: object = {}) {
  return {
    _id: id,
    _model: 'article',
    _title: `Title ${id}`,
    _created_at: at(1),
    _updated_at: at(1),
    _published_at: at(1),
    _last_published_at: at(1),
    _status: 'published',
    ...more,
  };
}

export function entryOf(data: object, html?: string): ShownEntry {
  return { id: 'a', data, ...(html !== undefined && { rendered: { html } }) };
}

export { at as day };
