import type { WireContent } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { Service } from './survey-client.ts';

/** What a look over all content showed. */
export interface Discovery {
  /** Items that there are, and that were looked at. */
  readonly total: number;
  readonly looked: number;
  readonly models: readonly string[];
  /** The model of each item that was looked at. */
  readonly modelOf: ReadonlyMap<number, string>;
  /** LUIDs of spaces, where the sub-space feature is in use. */
  readonly spaces: readonly string[];
  /** An item that was never published was there: the key reads drafts. */
  readonly sawDraft: boolean;
}

/** Pages that are looked at, at most: 5,000 items. */
const MOST_PAGES = 50;

/**
 * Finds the models by listing without a model filter (§4.1). A large space is looked at in pages spread
 * evenly from the newest to the oldest, so a model with few items may stay unseen; `looked` says so.
 */
export async function discover(service: Service): Promise<Discovery> {
  const page = (offset: number) =>
    service.list({ select: '_id,_model,_status,_space', depth: 0, limit: LIMITS.pageSize, offset });
  const first = await page(0);
  const others = await Promise.all(offsets(first.total).map(page));
  const items = new Map<number, WireContent>();
  for (const { data } of [first, ...others]) for (const item of data) items.set(item._id, item);
  const seen = [...items.values()];
  return {
    total: first.total,
    looked: seen.length,
    models: [...new Set(seen.map(({ _model }) => _model))].sort(),
    modelOf: new Map(seen.map(({ _id, _model }) => [_id, _model])),
    spaces: [...new Set(seen.flatMap(({ _space }) => _space ?? []))].sort(),
    sawDraft: seen.some(({ _status }) => _status === 'draft'),
  };
}

/** Of the pages after the first. */
function offsets(total: number): number[] {
  const needed = Math.ceil(total / LIMITS.pageSize);
  const pages = Math.min(needed, MOST_PAGES);
  const last = Math.max(0, total - LIMITS.pageSize);
  return Array.from({ length: Math.max(0, pages - 1) }, (_, index) => {
    const all = needed <= MOST_PAGES;
    return all ? (index + 1) * LIMITS.pageSize : Math.round((last * (index + 1)) / (pages - 1));
  });
}
