import { pagesKey } from '../read/page-bytes.ts';
import { type HistoryChanges, recordStep } from '../store/manifest/change-history.ts';
import type { Manifest, StoredFacts, StoredModel } from '../store/manifest/manifest.ts';
import { replicaFingerprint, storedModelKey } from '../store/manifest/stored-models.ts';
import { encodeFacts } from '../store/segments/facts-format.ts';
import type { SegmentSink } from '../store/segments/segment-writer.ts';
import { hashOf } from '../store/segments/segments.ts';
import { mapFingerprint } from '../store/segments/stored-facts.ts';
import { MAX_READ_AGAIN, type SyncSession } from './session.ts';

/**
 * What to store after a sync. Everything that later decisions depend on is in the same manifest as the data. The bodies
 * of new segments go to `sink`.
 */
export async function nextManifest(session: SyncSession, sink: SegmentSink): Promise<Manifest> {
  const { manifest: before, groups, mainChanges, reached } = session;
  const models = await storeModels(session, sink);
  const removedNow = groups.flatMap((group) => [...group.removed.keys()]);
  const added = new Set(groups.flatMap((group) => [...group.added.keys()]));
  const removed = [...new Set([...before.removed, ...mainChanges.removed, ...removedNow])];
  const next: Manifest = {
    ...before,
    generation: before.generation + 1,
    isEncrypted: before.isEncrypted || session.hasReadDrafts,
    models,
    ...reached,
    removed: await thoseReferredTo(
      session,
      removed.filter((id) => !added.has(id)),
    ),
    readAgain: nextReadAgain(session),
    main: session.mainFingerprint,
    pages: Object.fromEntries(
      groups.flatMap(({ pages, source }) =>
        pages ? [[pagesKey(session.models, source.models), pages] as const] : [],
      ),
    ),
    pageSizes: session.pageSizes.toStored(),
  };
  const [from, to] = [replicaFingerprint(session.models, before), replicaFingerprint(session.models, next)];
  const history = recordStep(before.history, from, to, changesOf(session, next));
  const facts = from === to && before.facts ? before.facts : await storeFacts(session, next, sink);
  return { ...next, history, facts };
}

/**
 * The removed items that something still refers to: it was read before they were removed, or the service shows ids of
 * what the key cannot see. Found out whenever everything was read, because it takes the facts about all items.
 */
async function thoseReferredTo({ groups }: SyncSession, removed: readonly number[]): Promise<number[]> {
  const isAllRead = groups.every(({ fullyRead, tables }) => fullyRead.size === tables.size);
  if (removed.length === 0 || !isAllRead) return [...removed];
  const tables = groups.flatMap((group) => [...group.tables.values()]);
  const facts = (await Promise.all(tables.map((table) => table.facts()))).flat();
  const referred = new Set(facts.flatMap(({ links }) => [...links]));
  return removed.filter((id) => referred.has(id));
}

/** Everything that may show in an entry and is not as it was. Unknown if it cannot be read how that was. */
function changesOf(session: SyncSession, next: Manifest): HistoryChanges | undefined {
  const { manifest: before, groups, isDamaged } = session;
  if (isDamaged) return undefined;
  const changed = groups.flatMap((group) => [...group.changed.keys()]);
  return {
    added: groups.flatMap(({ added }) => [...added.keys()]),
    changed: [...new Set([...changed, ...differing(before.removed, next.removed)])],
    removed: groups.flatMap(({ removed }) => [...removed.keys()]),
  };
}

function differing(a: readonly number[], b: readonly number[]): number[] {
  const [inA, inB] = [new Set(a), new Set(b)];
  return [...a.filter((id) => !inB.has(id)), ...b.filter((id) => !inA.has(id))];
}

/** Stores the facts about all items with the segments. Without a cache there is no use for them. */
async function storeFacts(
  { groups, models, snapshot }: SyncSession,
  { isEncrypted }: Manifest,
  sink: SegmentSink,
): Promise<StoredFacts | null> {
  if (!snapshot) return null;
  const tables = new Map(groups.flatMap(({ tables: some }) => [...some]));
  const facts = [];
  for (const model of Object.keys(models)) facts.push(...((await tables.get(model)?.facts()) ?? []));
  const body = isEncrypted ? snapshot.encrypt(encodeFacts(facts)) : encodeFacts(facts);
  const hash = hashOf(body);
  await sink.set(hash, body);
  return { hash, models: mapFingerprint(models) };
}

async function storeModels(session: SyncSession, sink: SegmentSink): Promise<Record<string, StoredModel>> {
  const { manifest, now } = session;
  const models: Record<string, StoredModel> = {};
  for (const { tables, fullyRead } of session.groups) {
    for (const [model, table] of tables) {
      const key = storedModelKey(session.models, model);
      const before = manifest.models[key];
      const segments = await table.toSegments(sink);
      const readAt = fullyRead.has(model) ? now() : (before?.readAt ?? now());
      models[key] = { segments, readAt };
    }
  }
  return models;
}

function nextReadAgain({ reached, toReadNextTime, isInconclusive }: SyncSession): Manifest['readAgain'] {
  // The next sync reads everything in one round again.
  if (reached?.cursor === null) return [];
  return isInconclusive || toReadNextTime.size > MAX_READ_AGAIN ? 'everything' : [...toReadNextTime];
}
