import type { WireContent } from '../contract/content.ts';
import { LuidError } from '../errors.ts';
import type { ModelMap } from '../models/types.ts';
import { visitLeaves } from '../models/walk.ts';
import { findDifferences } from './differences.ts';
import { earliest, type Group } from './group.ts';
import { catchUp, chunks, cursorOf, digestOf, type Heads, readHeads } from './heads.ts';
import { planReferrers } from './referrers.ts';
import { isRenamed } from './renamed.ts';
import { scan, timeOf } from './scan.ts';
import { placeOf } from './segments.ts';
import type { Cursor } from './snapshot.ts';
import type { Workplace } from './workplace.ts';

/**
 * Brings the copies of all models up to date. They are right, or this throws and nothing was stored.
 *
 * The service tells of changes by two lists only: the newest items by `_updated_at` and by
 * `_last_published_at`. What these cannot show (an alternative text, an archived media, an option or a
 * field that was renamed, a restored item that keeps its old time and is balanced by a deletion) is
 * seen at the next whole read, at most `maxAge` later.
 */
export async function bringUpToDate(work: Workplace): Promise<void> {
  if (fitsInOneRound(work)) {
    await Promise.all(work.groups.map((group) => readWhole(work, group)));
    return;
  }
  const arrived = (await Promise.all(work.groups.map((group) => syncGroup(work, group)))).flat();
  await Promise.all(work.groups.map((group) => readTouched(group, work.touched)));
  await readReferrers(work, arrived);
}

/** A space that fits in one round is read whole each time, which is exact. */
async function readWhole(work: Workplace, group: Group): Promise<void> {
  const fresh = work.audit;
  await Promise.all(
    group.source.models.map((model) => group.readModel(model, { fresh, onPage: work.onPage(model) })),
  );
  await checkModels(work, group);
  // Of a whole read no cursor is known: edits under way may be older than what was read last.
  work.advance(group, { updated: 0, published: 0 }, '');
}

/** Gives the items that came into sight although they are not new. */
async function syncGroup(work: Workplace, group: Group): Promise<WireContent[]> {
  const { source } = group;
  const before = await readHeads(source, group.cursor, work.audit);
  const stale = work.audit || group.cursor?.updated === 0 ? source.models : [...group.unread];
  if (stale.length === 0 && digestOf(before) === work.digestOf(group)) return [];

  await Promise.all(
    stale.map((model) => group.readModel(model, { fresh: work.audit, onPage: work.onPage(model) })),
  );
  const after = stale.length === 0 ? before : await readHeads(source, cursorOf(before), work.audit);
  const since =
    stale.length === 0 ? group.cursor : earliest([cursorOf(before), ...caughtUp(group, stale.length)]);
  await takeChanges(group, after, since ?? cursorOf(before));
  await raiseAlarm(group, after);
  await checkModels(work, group);
  work.advance(group, cursorOf(after), digestOf(after));
  return [...group.arrived.values()].filter((item) => timeOf(item, '_created_at') <= (since?.updated ?? 0));
}

/** The cursor of the models that were not read just now. */
function caughtUp(group: Group, read: number): Cursor[] {
  return group.cursor && group.cursor.updated > 0 && read < group.source.models.length ? [group.cursor] : [];
}

/** Takes what changed since the cursor. */
async function takeChanges(group: Group, heads: Heads, since: Cursor): Promise<void> {
  const suspicious = new Set<string>();
  for (const item of await trusted(group, heads, since, await catchUp(group.source, heads, since))) {
    if ((await group.take(item)) === 'changed at an unchanged time') suspicious.add(item._model);
  }
  // Something that moves no time changed, and may have changed elsewhere too.
  for (const model of suspicious) await group.readModel(model, { fresh: true });
}

/**
 * A copy of the CDN's may be older than ours, and show what is gone or how it was. Whatever goes back in
 * time, or turns up late, is asked for once more past it.
 */
async function trusted(
  group: Group,
  heads: Heads,
  since: Cursor,
  items: WireContent[],
): Promise<WireContent[]> {
  if (heads.fresh) return items;
  const doubtful = new Set<number>();
  for (const item of items) {
    const known = await group.copyOf(item._model).get(placeOf(item));
    const isLate = !known && timeOf(item, '_created_at') <= since.updated;
    if (isLate || (known && goesBack(known, item))) doubtful.add(item._id);
  }
  const sure = items.filter(({ _id }) => !doubtful.has(_id));
  for (const ids of chunks([...doubtful], 100)) sure.push(...(await group.source.byId(ids)));
  return sure;
}

function goesBack(known: WireContent, item: WireContent): boolean {
  return (['_updated_at', '_last_published_at'] as const).some((by) => timeOf(item, by) < timeOf(known, by));
}

/** A count that differs says that something is missing or too much, not what. */
async function raiseAlarm(group: Group, heads: Heads): Promise<void> {
  if (heads.total === group.count) return;
  let total = heads.fresh ? heads.total : await group.source.count(group.source.models);
  for (let attempt = 0; attempt < 3 && total !== group.count; attempt++) {
    const found = await findDifferences(group.source, group.copies, total - group.count);
    group.note(found.arrived, found.left);
    for (const model of found.unclear) await group.readModel(model, { fresh: true });
    if (total !== group.count) total = await group.source.count(group.source.models);
  }
}

/** Items whose main-language data changed are read again in every other language, unless all were just now. */
async function readTouched(group: Group, touched: readonly WireContent[]): Promise<void> {
  const ours = touched.filter(({ _model }) => group.copies.has(_model) && !group.read.has(_model));
  for (const items of chunks(ours, 100)) {
    const found = new Map(
      (await group.source.byId(items.map(({ _id }) => _id))).map((item) => [item._id, item]),
    );
    for (const item of items) {
      const now = found.get(item._id);
      await (now ? group.take(now) : group.drop(item));
    }
  }
}

/** Reads again what refers to items that came into sight: it held an empty field in their place. */
async function readReferrers(work: Workplace, arrived: readonly WireContent[]): Promise<void> {
  if (arrived.length === 0) return;
  for (const { model, filters } of planReferrers(work.models, arrived)) {
    const group = work.groupOf(model);
    const pages = Math.ceil(group.copyOf(model).count / 100);
    if (filters === 'whole' || filters.length > pages) {
      await group.readModel(model, { fresh: true });
      continue;
    }
    for (const filter of filters) {
      const items = await scan(group.source, {
        models: [model],
        by: '_created_at',
        filters: filter,
        fresh: true,
      });
      for (const item of items) await group.take(item);
    }
  }
}

/** A model that had content and has none any more was renamed by its owner, or emptied. */
async function checkModels(work: Workplace, group: Group): Promise<void> {
  for (const [model, copy] of group.copies) {
    if (copy.count > 0) continue;
    const gone = [...group.removed.values()].filter((item) => item._model === model);
    if (gone.length === 0) {
      work.warnOnce(`${model} has no content that this key can see: is its LUID right?`);
      continue;
    }
    const renamed = await isRenamed(group.source, gone);
    if (renamed) {
      throw new LuidError(`There is no model ${model} any more: its content is of ${renamed} now`, {
        model,
        hint: `Write ${renamed} in place of ${model} in the model map.`,
      });
    }
  }
}

/** All pages of a small space fit in one round of parallel requests: reading it takes as long as asking. */
function fitsInOneRound({ groups, concurrency }: Workplace): boolean {
  const copies = groups.flatMap((group) => [...group.copies.values()]);
  const pages = copies.reduce((sum, { count }) => sum + 1 + Math.max(0, Math.ceil((count - 100) / 99)), 0);
  return groups.every(({ unread }) => unread.size === 0) && pages <= concurrency;
}

/** The alternative texts of media in items that were read just now: newer than any other use of the same media. */
export function altsIn(models: ModelMap, items: Iterable<WireContent>): Record<string, string> {
  const alts: Record<string, string> = {};
  for (const item of items) {
    visitLeaves(models[item._model] ?? {}, item, ({ field, value }) => {
      const media = value as { url?: unknown; alt?: unknown };
      if (field.type === 'media' && typeof media.url === 'string' && typeof media.alt === 'string') {
        alts[media.url] = media.alt;
      }
    });
  }
  return alts;
}
