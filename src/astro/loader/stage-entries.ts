import { setImmediate } from 'node:timers/promises';
import type { LoaderContext } from 'astro/loaders';
import { type Entry, removeEntries } from '../../entries/collection.ts';
import { invalidContentError } from '../../entries/problems/content-errors.ts';
import type { InvalidItem } from '../../entries/problems/invalid-item.ts';
import { parseSchemaIssues } from '../../entries/problems/schema-issues.ts';
import { itemHash } from '../../replica/store/segments/item-facts.ts';
import type { MeasuredImages } from '../collection/make/collection-images.ts';
import { EntryMaker, entryResolvers } from '../collection/make/entry-maker.ts';
import { BodyNotRenderedError } from '../collection/make/render-body.ts';
import type { BuildCollection } from './build-collection.ts';
import type { EntriesToMake } from './entries-to-make.ts';

type StoredEntry = Parameters<LoaderContext['store']['set']>[0];

export interface StagedEntries {
  /** New and changed entries, ready for the store. */
  readonly staged: readonly StoredEntry[];
  /** Ids of entries that cannot be stored, with `onInvalid: 'skip'`. */
  readonly skipped: ReadonlySet<string>;
  /** Why. */
  readonly invalid: readonly InvalidItem[];
  /**
   * Whether all entries are as they would be made of the same content again. The site's own schema may accept what it
   * rejected, and images may become reachable, without a change of anything that is compared.
   */
  readonly isComplete: boolean;
}

/** A collection, and what its entries are made with, once it is known what is known of their images. */
interface Stage {
  readonly collection: BuildCollection;
  readonly images: MeasuredImages | undefined;
  readonly maker: EntryMaker;
}

/** After so many entries, others have their turn: the cache may still be written. */
const ENTRIES_PER_TURN = 100;

/**
 * Resolves, validates and renders the entries that changed. The digest covers everything that a page can see of
 * an entry, and everything that decides how it is made. Throws for entries that cannot be stored, unless these are
 * skipped. If all entries are given, `_prev` and `_next` do not lead to skipped ones.
 */
export async function stageEntries(
  collection: BuildCollection,
  { entries, affected }: Pick<EntriesToMake, 'entries' | 'affected'>,
): Promise<StagedEntries> {
  const images = await collection.images?.measure(entries);
  const stage = { collection, images, maker: await makerOf(collection, images) };
  const tried = await tryEntries(stage, entries);
  const staged = stagedOf(stage, tried);
  const mayMoveNeighbours = collection.settings.order !== undefined && affected === undefined;
  return mayMoveNeighbours ? stagedOf(stage, await tryNeighbours(stage, entries, tried)) : staged;
}

async function makerOf(collection: BuildCollection, images: MeasuredImages | undefined): Promise<EntryMaker> {
  const { space, settings, context, sanitizer, dataFingerprint } = collection;
  const { generateDigest: hash, renderMarkdown } = context;
  const resolverOf = images
    ? entryResolvers(space, { hash, hashItem: itemHash, sanitizer, images })
    : await collection.resolvers();
  return new EntryMaker({
    space,
    settings,
    sanitizer,
    images,
    resolverOf,
    dataFingerprint,
    hash,
    renderMarkdown,
  });
}

/** What becomes of an entry, by its id. */
type Tried = Map<string, StoredEntry | InvalidItem | 'unchanged'>;

async function tryEntries(stage: Stage, entries: readonly Entry[]): Promise<Tried> {
  const { maker } = stage;
  const { space, settings, context } = stage.collection;
  // The digest does not cover what is not shown, which has to match the model too.
  const checksAll = settings.rule.shown !== undefined && space.settings.onInvalid !== 'skip';
  const tried: Tried = new Map();
  for (const [index, entry] of entries.entries()) {
    if (index % ENTRIES_PER_TURN === 0) await setImmediate();
    const { id } = entry;
    const digest = maker.digestOf(entry);
    const isStored = context.store.get(id)?.digest === digest;
    if (isStored && !(checksAll && 'issues' in maker.resolve(entry))) {
      tried.set(id, 'unchanged');
      continue;
    }
    const result = await stageEntry(stage, entry);
    tried.set(id, 'issues' in result ? result : { id, digest, ...result });
  }
  return tried;
}

/** Tries the neighbours of skipped entries with their new neighbours, by which they may become invalid, and so on. */
async function tryNeighbours(stage: Stage, entries: readonly Entry[], tried: Tried): Promise<Tried> {
  let left = entries;
  for (let skipped = skippedIn(tried); skipped.size > 0; ) {
    const before = new Set(left);
    left = removeEntries(left, skipped);
    const again = await tryEntries(
      stage,
      left.filter((entry) => !before.has(entry)),
    );
    for (const [id, result] of again) tried.set(id, result);
    skipped = skippedIn(again);
  }
  return tried;
}

function skippedIn(tried: Tried): Set<string> {
  return new Set([...tried].flatMap(([id, result]) => (isInvalid(result) ? [id] : [])));
}

function isInvalid(result: StoredEntry | InvalidItem | 'unchanged'): result is InvalidItem {
  return result !== 'unchanged' && 'issues' in result;
}

function stagedOf({ collection, images }: Stage, tried: Tried): StagedEntries {
  const results = [...tried.values()];
  const invalid = results.filter(isInvalid);
  if (invalid.length > 0 && collection.space.settings.onInvalid !== 'skip')
    throw invalidContentError(invalid);
  const staged = results.filter((result) => result !== 'unchanged' && !isInvalid(result)) as StoredEntry[];
  const isComplete = invalid.length === 0 && images?.isComplete !== false;
  return { staged, skipped: skippedIn(tried), invalid, isComplete };
}

async function stageEntry(
  { collection: { settings, context }, maker }: Stage,
  entry: Entry,
): Promise<Omit<StoredEntry, 'id' | 'digest'> | InvalidItem> {
  const made = maker.resolve(entry);
  if ('issues' in made) return made;
  let data: StoredEntry['data'];
  try {
    data = await context.parseData({ id: entry.id, data: made.data });
  } catch (error) {
    // The model's own schema accepted it, so it was the schema of the site's collection that did not.
    return { data: entry.item, issues: parseSchemaIssues(error), because: [] };
  }
  try {
    return { data, ...(await maker.renderBody(made)) };
  } catch (error) {
    if (!(error instanceof BodyNotRenderedError)) throw error;
    const path = settings.body ? [settings.body.luid] : [];
    return { data: entry.item, issues: [{ path, message: error.message }], because: [] };
  }
}
