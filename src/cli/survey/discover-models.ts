import type { WireContent } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { SurveyClient } from './survey-client.ts';

/** What listing all content showed. */
export interface Discovery {
  /** Number of items, and how many of them were inspected. */
  readonly total: number;
  readonly inspected: number;
  readonly models: readonly string[];
  /** The model of each inspected item, by id. */
  readonly modelOf: ReadonlyMap<number, string>;
  /** LUIDs of spaces; empty if the service has no sub-spaces. */
  readonly spaces: readonly string[];
  /** An unpublished item was found: the key reads drafts. */
  readonly hasDrafts: boolean;
}

/** At most 5,000 items are inspected. */
const MAX_PAGES = 50;

const PAGE = { select: '_id,_model,_status,_space', depth: 0, limit: LIMITS.pageSize } as const;

/**
 * Finds the models by listing content without a model filter (§4.1). In a large space only some pages are read,
 * spread evenly from the newest to the oldest, so a model with few items may be missed (`inspected` < `total`).
 */
export async function discoverModels(client: SurveyClient): Promise<Discovery> {
  const page = (offset: number) => client.list({ ...PAGE, offset });
  const first = await page(0);
  const others = await Promise.all(pageOffsets(first.total).map(page));
  const items = new Map<number, WireContent>();
  for (const { data } of [first, ...others]) for (const item of data) items.set(item._id, item);
  const inspected = [...items.values()];
  return {
    total: first.total,
    inspected: inspected.length,
    models: [...new Set(inspected.map(({ _model }) => _model))].sort(),
    modelOf: new Map(inspected.map(({ _id, _model }) => [_id, _model])),
    spaces: [...new Set(inspected.flatMap(({ _space }) => _space ?? []))].sort(),
    hasDrafts: inspected.some(({ _status }) => _status === 'draft'),
  };
}

/**
 * Adds models that have content in sub-languages only, which a list in the main language does not contain. One request
 * per language: the newest 100 items of each.
 */
export async function discoverInLanguages(
  client: SurveyClient,
  discovery: Discovery,
  languages: readonly string[],
): Promise<Discovery> {
  const pages = await Promise.all(languages.map((lang) => client.list({ ...PAGE, lang })));
  const items = pages.flatMap(({ data }) => data);
  return {
    ...discovery,
    models: [...new Set([...discovery.models, ...items.map(({ _model }) => _model)])].sort(),
    modelOf: new Map([...discovery.modelOf, ...items.map(({ _id, _model }) => [_id, _model] as const)]),
  };
}

/** Offsets of the pages after the first. */
function pageOffsets(total: number): number[] {
  const needed = Math.ceil(total / LIMITS.pageSize);
  const pages = Math.min(needed, MAX_PAGES);
  const last = Math.max(0, total - LIMITS.pageSize);
  return Array.from({ length: Math.max(0, pages - 1) }, (_, index) => {
    const readsAll = needed <= MAX_PAGES;
    return readsAll ? (index + 1) * LIMITS.pageSize : Math.round((last * (index + 1)) / (pages - 1));
  });
}
