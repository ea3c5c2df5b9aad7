import type { WireContent } from '../../src/contract/content.ts';
import type { TableOptions } from '../../src/replica/store/segments/model-table.ts';
import { wire } from '../models/content.ts';

/** A moment that tests count seconds from. */
const START = Date.UTC(2026, 0, 1);

/** So many seconds after the start, in milliseconds. */
export function second(seconds: number): number {
  return START + seconds * 1000;
}

/** The same as the service writes it. */
export function at(seconds: number): string {
  return new Date(second(seconds)).toISOString();
}

/** A published article that was created at second 0 and not touched since. */
export function content(id: number, properties: Partial<WireContent> = {}): WireContent {
  const times = {
    _created_at: at(0),
    _updated_at: at(0),
    _published_at: at(0),
    _last_published_at: at(0),
  };
  return wire('article', { ...times, _status: 'published', ...properties }, id);
}

/** An item whose times of change are both these seconds. */
export function changedAt(id: number, seconds: number): WireContent {
  return content(id, { _updated_at: at(seconds), _last_published_at: at(seconds) });
}

/** An item that was never published. */
export function draft(id: number, properties: Partial<WireContent> = {}): WireContent {
  return content(id, { _published_at: null, _last_published_at: null, _status: 'draft', ...properties });
}

/** For tables whose items refer to nothing. */
export const WITHOUT_FACTS: TableOptions = {
  stored: async () => new Map(),
  linksOf: () => [],
};
