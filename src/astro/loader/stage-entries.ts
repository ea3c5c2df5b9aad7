import { setImmediate } from 'node:timers/promises';
import type { LoaderContext } from 'astro/loaders';
import { type Entry, removeEntries } from '../../entries/collection.ts';
import type { LanguageItems } from '../../entries/language-items.ts';
import { type InvalidItem, invalidContentError } from '../../entries/problems/content-errors.ts';
import { parseSchemaIssues } from '../../entries/problems/schema-issues.ts';
import { createResolver, type Resolver } from '../../entries/reference-resolver.ts';
import type { Sanitizer } from '../../entries/sanitize/item-sanitizer.ts';
import { pluralize } from '../../format-count.ts';
import { itemHash } from '../../replica/store/item-facts.ts';
import type { SpaceCore } from '../../space/space.ts';
import type { MeasuredImages } from './collection-images.ts';
import { digestText, resolveEntry } from './entry-data.ts';
import type { LoaderPlan } from './loader-options.ts';
import { BodyNotRenderedError, renderBody } from './render-body.ts';

type StoredEntry = Parameters<LoaderContext['store']['set']>[0];

export interface StageOptions {
  readonly space: SpaceCore;
  readonly plan: LoaderPlan;
  readonly sanitizer: Sanitizer | undefined;
  readonly images: MeasuredImages | undefined;
  /** Equal as long as equal items become equal data. */
  readonly dataFingerprint: string;
  readonly context: LoaderContext;
}

export interface StagedEntries {
  /** New and changed entries, ready for the store. */
  readonly staged: readonly StoredEntry[];
  /** Ids of entries that do not fit their model, with `onInvalid: 'skip'`. */
  readonly skipped: ReadonlySet<string>;
  /** What is wrong with them; `undefined` if there are none. */
  readonly warning: string | undefined;
}

/** After so many entries, others have their turn: the cache may still be written. */
const ENTRIES_PER_TURN = 100;

/**
 * Resolves, validates and renders the entries that changed. The digest covers everything that a page can see of
 * an entry, and everything that decides how it is made.
 */
export async function stageEntries(options: StageOptions, entries: readonly Entry[]): Promise<StagedEntries> {
  return reportInvalid(options, await tryEntries(options, entries));
}

/**
 * The same for a collection with neighbours, all of whose entries are given: `_prev` and `_next` do not lead to entries
 * that are skipped. An entry may become invalid by its new neighbours, so this is repeated.
 */
export async function stageNeighbours(
  options: StageOptions,
  entries: readonly Entry[],
): Promise<StagedEntries> {
  const all = await tryEntries(options, entries);
  reportInvalid(options, all);
  const staged = new Map(all.staged.map((entry) => [entry.id, entry]));
  const skipped = new Set(all.skipped);
  const invalid = [...all.invalid];
  let left = entries;
  for (let found = all.skipped; found.size > 0; ) {
    const before = new Set(left);
    left = removeEntries(left, found);
    const again = await tryEntries(
      options,
      left.filter((entry) => !before.has(entry)),
    );
    for (const entry of again.staged) staged.set(entry.id, entry);
    for (const id of again.skipped) {
      skipped.add(id);
      staged.delete(id);
    }
    invalid.push(...again.invalid);
    found = again.skipped;
  }
  return reportInvalid(options, { staged: [...staged.values()], skipped, invalid });
}

interface TriedEntries extends Pick<StagedEntries, 'staged' | 'skipped'> {
  readonly invalid: readonly InvalidItem[];
}

async function tryEntries(options: StageOptions, entries: readonly Entry[]): Promise<TriedEntries> {
  const { plan, images, context } = options;
  const resolverOf = createResolvers(options);
  const configuration = context.generateDigest(options.dataFingerprint);
  const staged: StoredEntry[] = [];
  const skipped = new Set<string>();
  const invalid: InvalidItem[] = [];

  for (const [index, entry] of entries.entries()) {
    if (index % ENTRIES_PER_TURN === 0) await setImmediate();
    const { id } = entry;
    const resolver = resolverOf(entry.languageItems);
    const digest = context.generateDigest(digestText(configuration, plan, entry, resolver, images));
    const isStored = context.store.get(id)?.digest === digest;
    // The digest does not cover what is not shown, which has to match the model too.
    if (isStored && (!plan.shown || matchesModel(plan, entry, resolver))) continue;
    const result = await stageEntry(options, entry, resolver);
    if ('data' in result) staged.push({ id, digest, ...result });
    else {
      skipped.add(id);
      invalid.push(...result.invalid);
    }
  }

  return { staged, skipped, invalid };
}

/** Throws for entries that do not fit their model, unless these are skipped. */
function reportInvalid(
  { space, context }: StageOptions,
  { staged, skipped, invalid }: TriedEntries,
): StagedEntries {
  if (invalid.length === 0) return { staged, skipped, warning: undefined };
  const error = invalidContentError(invalid, space.settings.onInvalid === 'skip');
  if (space.settings.onInvalid !== 'skip') throw error;
  const count = pluralize(skipped.size, 'entry is', 'entries are');
  return { staged, skipped, warning: `${context.collection}: ${count} skipped. ${error.message}` };
}

async function stageEntry(
  { space, plan, sanitizer, images, context }: StageOptions,
  entry: Entry,
  resolver: Resolver,
): Promise<Omit<StoredEntry, 'id' | 'digest'> | { readonly invalid: readonly InvalidItem[] }> {
  const result = resolveEntry(plan, entry, resolver);
  if ('invalid' in result) return result;
  const { data, resolved } = result;
  let parsed: StoredEntry['data'];
  try {
    parsed = await context.parseData({ id: entry.id, data });
  } catch (error) {
    // The model's own schema accepted it, so it was the schema of the site's collection that did not.
    return { invalid: [{ data: entry.item, issues: parseSchemaIssues(error) }] };
  }
  const { renderMarkdown } = context;
  try {
    const body = await renderBody(
      { models: space.models, plan, sanitizer, images, renderMarkdown },
      resolved,
    );
    return { data: parsed, ...body };
  } catch (error) {
    if (!(error instanceof BodyNotRenderedError)) throw error;
    const path = plan.body ? [plan.body.luid] : [];
    return { invalid: [{ data: entry.item, issues: [{ path, message: error.message }] }] };
  }
}

function matchesModel({ depth, shown }: LoaderPlan, { item }: Entry, resolver: Resolver): boolean {
  let isValid = true;
  const onInvalid = () => {
    isValid = false;
  };
  resolver.resolve(item, depth, onInvalid, shown);
  return isValid;
}

/** One resolver per language: it keeps what it resolved. */
function createResolvers({
  space,
  sanitizer,
  images,
  context,
}: StageOptions): (languageItems: LanguageItems) => Resolver {
  const resolvers = new Map<LanguageItems, Resolver>();
  return (languageItems) => {
    const resolver =
      resolvers.get(languageItems) ??
      createResolver({
        models: space.models,
        languageItems,
        schema: (model) => space.schema(model, { depth: 0 }),
        hash: context.generateDigest,
        hashItem: itemHash,
        prepare: images?.prepare,
        sanitize: sanitizer?.sanitizeItem,
      });
    resolvers.set(languageItems, resolver);
    return resolver;
  };
}
