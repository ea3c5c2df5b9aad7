import type { WireContent } from '../../contract/content.ts';
import { collectAltTexts } from '../store/alt-texts.ts';
import { recordStep } from '../store/change-history.ts';
import { encodeFacts } from '../store/facts-format.ts';
import { mediaKey } from '../store/item-facts.ts';
import { append, journalFingerprint, targetOf } from '../store/journal.ts';
import type { Cursor, Journal, Manifest, StoredFacts, StoredModel, Unconfirmed } from '../store/manifest.ts';
import { replicaFingerprint } from '../store/replica-fingerprint.ts';
import type { SegmentSink } from '../store/segment-writer.ts';
import { hashOf } from '../store/segments.ts';
import { mapFingerprint } from '../store/stored-facts.ts';
import { storedModelKey } from '../store/stored-model-key.ts';
import type { Reached, SyncSession } from './session.ts';

/**
 * What to store after a sync. Everything that later decisions depend on is in the same manifest as the data. The bodies
 * of new segments go to `sink`.
 */
export async function nextManifest<Sink extends SegmentSink = Map<string, string>>(
  session: SyncSession,
  sink: Sink = new Map() as SegmentSink as Sink,
): Promise<{ manifest: Manifest; written: Sink }> {
  const { manifest: before, groups, undeclared, mainJournal } = session;
  const models = await storeModels(session, sink);
  const isAllRead = groups.every(({ fullyRead, tables }) => fullyRead.size === tables.size);
  const removed = groups.flatMap((group) => [...group.removed.keys()]);
  const added = new Set(groups.flatMap((group) => [...group.added.keys()]));
  for (const id of [...removed, ...added]) undeclared.delete(id);
  const next: Manifest = {
    ...before,
    generation: before.generation + 1,
    models,
    ...nextHeads(session),
    // What was removed while everything was read may still be referred to by what was read before.
    gone: [...new Set([...(isAllRead ? [] : before.gone), ...removed])].filter((id) => !added.has(id)),
    undeclared: sorted(undeclared.ids),
    undeclaredInMain: sorted(undeclared.idsInMain),
    undeclaredMissing: sorted(undeclared.missing),
    // Only heads count what is undeclared.
    undeclaredTotal: session.reached.kind === 'read without heads' ? null : undeclared.total,
    alts: isAllRead ? {} : { ...before.alts, ...newAltTexts(session) },
    settled: !session.needsFullSync && (isAllRead || before.settled),
    unconfirmed: nextUnconfirmed(session),
    journal: session.isMainLanguage ? nextJournal(session, models) : before.journal,
    follows: mainJournal ? journalFingerprint(mainJournal) : null,
  };
  const [from, to] = [replicaFingerprint(session.models, before), replicaFingerprint(session.models, next)];
  const history = recordStep(before.history, from, { to, ids: changedIds(session, next) });
  const facts = from === to && before.facts ? before.facts : await storeFacts(session, sink);
  return { manifest: { ...next, history, facts }, written: sink };
}

/** Everything that may show in an entry and is not as it was. Unknown if it cannot be read how that was. */
function changedIds(session: SyncSession, next: Manifest): number[] | undefined {
  const { manifest: before, groups, isDamaged } = session;
  if (isDamaged) return undefined;
  const items = groups.flatMap(({ added, changed, removed }) => [
    ...added.keys(),
    ...changed.keys(),
    ...removed.keys(),
  ]);
  const media = Object.keys({ ...before.alts, ...next.alts }).filter(
    (url) => before.alts[url] !== next.alts[url],
  );
  const undeclared = [
    ...differing(before.undeclared, next.undeclared),
    ...differing(before.undeclaredInMain, next.undeclaredInMain),
  ];
  return [...new Set([...items, ...undeclared, ...media.map(mediaKey)])];
}

function differing(a: readonly number[], b: readonly number[]): number[] {
  const [inA, inB] = [new Set(a), new Set(b)];
  return [...a.filter((id) => !inB.has(id)), ...b.filter((id) => !inA.has(id))];
}

/** Stores the facts about all items with the segments. Without a cache there is no use for them. */
async function storeFacts(
  { groups, models, isCached }: SyncSession,
  sink: SegmentSink,
): Promise<StoredFacts | null> {
  if (!isCached) return null;
  const tables = new Map(groups.flatMap(({ tables: some }) => [...some]));
  const facts = [];
  for (const model of Object.keys(models)) facts.push(...((await tables.get(model)?.facts()) ?? []));
  const body = encodeFacts(facts);
  const hash = hashOf(body);
  await sink.set(hash, body);
  return { hash, models: mapFingerprint(models) };
}

async function storeModels(session: SyncSession, sink: SegmentSink): Promise<Record<string, StoredModel>> {
  const { reached, manifest, now } = session;
  const models: Record<string, StoredModel> = {};
  for (const { tables, fullyRead } of session.groups) {
    for (const [model, table] of tables) {
      const key = storedModelKey(session.models, model);
      const before = manifest.models[key];
      const { segments } = await table.toSegments(sink);
      const readAt = fullyRead.has(model) ? now() : (before?.readAt ?? now());
      models[key] = { segments, cursor: nextCursor(reached, before), readAt };
    }
  }
  return models;
}

function nextCursor(reached: Reached, before: StoredModel | undefined): Cursor | null {
  if (reached.kind === 'heads') return reached.cursor;
  return reached.kind === 'read without heads' ? null : (before?.cursor ?? null);
}

function nextHeads({ reached, manifest }: SyncSession): Pick<Manifest, 'heads' | 'neverPublished'> {
  if (reached.kind === 'heads') return { heads: reached.fingerprint, neverPublished: reached.neverPublished };
  if (reached.kind === 'read without heads') return { heads: null, neverPublished: null };
  return { heads: manifest.heads, neverPublished: manifest.neverPublished };
}

function nextUnconfirmed({ reached, visibility }: SyncSession): Unconfirmed {
  // The next sync reads everything.
  if (reached.kind === 'read without heads') return { items: [], models: [] };
  return visibility.nextUnconfirmed();
}

/**
 * The alternative texts of what was read. Not those that an item had before, unless other texts were seen since: all
 * other uses of that media were read with the same text.
 */
function newAltTexts({ models, groups, manifest: { alts } }: SyncSession): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { added, changed, previous } of groups) {
    Object.assign(found, collectAltTexts(models, added.values()));
    for (const [id, item] of changed) {
      const before = previous.get(id);
      const known = before ? collectAltTexts(models, [before]) : {};
      for (const [url, alt] of Object.entries(collectAltTexts(models, [item])))
        if (Object.hasOwn(alts, url) || known[url] !== alt) found[url] = alt;
    }
  }
  return found;
}

/** What the other languages have to look at. Models that were unknown until now are new to them too. */
function nextJournal(session: SyncSession, stored: Manifest['models']): Journal {
  const { manifest, models, groups, visibility, undeclared } = session;
  const known = new Set(
    Object.keys(models).filter((model) => Object.hasOwn(manifest.models, storedModelKey(models, model))),
  );
  const targetsOf = (items: Iterable<WireContent>) =>
    [...items].filter(({ _model }) => known.has(_model)).map(targetOf);
  const appeared = new Map(visibility.appeared.map((target) => [target[0], target]));
  for (const { added } of groups)
    for (const target of targetsOf(added.values())) appeared.set(target[0], target);
  const changes = {
    appeared: [...appeared.values()],
    changed: groups.flatMap(({ changed }) => targetsOf(changed.values())),
    undeclared: undeclared.hasMoved || undeclared.hasChanged,
    undeclaredAppeared: visibility.undeclaredAppeared,
  };
  const content = JSON.stringify(stored, ['segments', 'hash', ...Object.keys(stored)]);
  return append(manifest.journal, changes, content);
}

function sorted(ids: Iterable<number>): number[] {
  return [...ids].sort((a, b) => a - b);
}
