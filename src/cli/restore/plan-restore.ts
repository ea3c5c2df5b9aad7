import { canonicalJson } from '../../models/canonical-json.ts';
import type { BackupItem, State } from '../backup/backup-item.ts';
import { mediaKeys, withLinks } from '../backup/comparable.ts';
import { sha256OfText } from '../backup/files.ts';
import { matchItems } from '../backup/match-items.ts';
import type { Export } from '../backup/read-export.ts';
import type { Side } from '../backup/side.ts';
import { creationOrder, referencesOf } from './creation-order.ts';
import { type RestoreLinks, restoreLinks } from './links.ts';
import { planSteps, type Step } from './plan-steps.ts';
import type { RestoreLog } from './restore-log.ts';
import type { Target } from './target.ts';
import { isWritable, type Note, writeValues } from './write-values.ts';

/** An item of the export, and its id in the target. */
export interface Update {
  readonly item: BackupItem;
  readonly id: number;
}

export interface Plan {
  readonly source: Side;
  readonly links: RestoreLinks;
  /** In the order in which they are written. */
  readonly creates: readonly BackupItem[];
  readonly updates: readonly Update[];
  /** Items that were edited since an interrupted restore began, by their id in the target. */
  readonly edited: readonly Update[];
  readonly unchanged: number;
  readonly notes: readonly Note[];
  /** Requests: uploads, new items, updates and second passes. */
  readonly writes: number;
  readonly uploads: number;
}

interface PlanOptions {
  readonly models?: readonly string[] | undefined;
  readonly onlyMissing: boolean;
}

/** The first state in which an item is created. */
export function firstState(item: BackupItem): State {
  return item.published ? 'published' : 'draft';
}

/** What a restore would write, from what was read of the target; no request changes anything. */
export async function planRestore(
  source: Export,
  target: Target,
  log: RestoreLog,
  options: PlanOptions,
): Promise<Plan> {
  const selected = [...source.items.values()].filter(({ model }) => options.models?.includes(model) ?? true);
  const keys = await mediaKeys(source, target.side);
  const matches = matchItems(source, target.side, target.isSource ? '_id' : 'slug');
  for (const [id, created] of log.created) if (target.side.items.has(created)) matches.set(id, created);
  const links = restoreLinks(source, target, log, matches, keys);
  adopt(source, target, log, links);

  const creates = creationOrder(
    source.models,
    selected.filter(({ id }) => links.idOf(id) === undefined),
  );
  for (const { id } of creates) links.pending.add(id);
  const notes = new Map<string, Note>();
  const report = (note: Note) => void notes.set(canonicalJson({ ...note, reason: '' }), note);
  const needed = new Set<number>();
  let writes = creates.length + secondPasses(source, creates);
  for (const item of creates) {
    for (const { lang, state, values } of dataOf(item)) {
      const reportValue = (path: string, reason: string) =>
        report({ id: item.id, lang, state, path, reason });
      writeValues(source, item.model, values, links.toWrite(needed, { isPlan: true }), reportValue);
    }
  }
  const existing = selected.flatMap((item): Update[] => {
    const id = links.idOf(item.id);
    return id === undefined || target.side.items.get(id)?.model !== item.model ? [] : [{ item, id }];
  });
  const updates: Update[] = [];
  const edited: Update[] = [];
  for (const update of existing) {
    const isOurs = log.created.get(update.item.id) === update.id;
    if (options.onlyMissing && !isOurs) continue;
    const current = { item: target.side.items.get(update.id) as BackupItem, undeclared: [] };
    const toWrite = links.toWrite(needed, { isPlan: true });
    const steps = planSteps({ ...update, source, target: target.side, current, links, toWrite, report });
    if (steps.length === 0) continue;
    if (isEdited(update.id, target.fingerprint(update.id), log, steps)) edited.push(update);
    else {
      updates.push(update);
      writes += steps.length;
    }
  }
  const unchanged = existing.length - updates.length - edited.length;
  const uploads = needed.size;
  return {
    source,
    links,
    creates,
    updates,
    edited,
    unchanged,
    notes: [...notes.values()],
    writes: writes + uploads,
    uploads,
  };
}

/** Whether somebody else has changed an item since it was last read or written. */
export function isEdited(
  id: number,
  fingerprint: string,
  log: RestoreLog,
  steps: readonly Pick<Step, 'state'>[],
): boolean {
  const known = log.fingerprints.get(id);
  if (known === undefined || known === fingerprint) return false;
  // A write without a result was carried out if nothing is left of it to write.
  const open = log.openWrites.get(id);
  return open === undefined || steps.some(({ state }) => state === open);
}

function* dataOf(item: BackupItem) {
  for (const state of ['published', 'draft'] as const) {
    for (const [lang, values] of Object.entries(item[state] ?? {})) yield { state, lang, values };
  }
}

/** How many writes follow the creation of items: for drafts beside published data, and for circular references. */
function secondPasses({ models }: Side, creates: readonly BackupItem[]): number {
  const places = new Map(creates.map(({ id }, index) => [id, index]));
  return creates.reduce((sum, item, index) => {
    const targets = referencesOf(models, item, [firstState(item)]);
    const isCircular = [...targets].some((id) => (places.get(id) ?? -1) >= index);
    return sum + (isCircular ? 1 : 0) + (item.published && item.draft ? 1 : 0);
  }, 0);
}

/** Finds items that an interrupted restore has created without noting their ids. */
function adopt(source: Side, target: Target, log: RestoreLog, links: RestoreLinks): void {
  const claimed = new Set([...log.created.values(), ...log.fingerprints.keys()]);
  for (const id of log.openCreates) {
    const item = source.items.get(id);
    if (!item) continue;
    const wanted = contentOf(source, item, links);
    const found = [...target.side.items.values()].find(
      (other) =>
        other.model === item.model &&
        !claimed.has(other.id) &&
        contentOf(target.side, other, links) === wanted,
    );
    if (!found) continue;
    claimed.add(found.id);
    links.ids.set(id, found.id);
    links.adopted.set(id, found.id);
  }
}

/** The content of an item in its first state, as it is without references. */
function contentOf(side: Side, item: BackupItem, links: RestoreLinks): string {
  const data = Object.entries(item[firstState(item)] ?? {}).map(([lang, values]) => {
    const other = (value: unknown, field: { readonly type: string }) =>
      isWritable(field) ? value : undefined;
    return [lang, withLinks(side, item, lang, values, links.withoutReferences, other)];
  });
  return canonicalJson(Object.fromEntries(data));
}

/** Distinguishes one state of an export from another. */
export function exportHash({ manifest }: Export): string {
  return sha256OfText(canonicalJson([manifest.files, manifest.media]));
}
