import type { QueryParameters } from '../client/url.ts';
import type { WireContent } from '../contract/content.ts';
import { LuidError } from '../errors.ts';
import { targetsOf } from '../models/kinds/reference.ts';
import type { ModelMap } from '../models/types.ts';
import { visitLeaves } from '../models/walk.ts';
import { findDifferences } from './differences.ts';
import { earliest, type Group, isNewer, isSame } from './group.ts';
import {
  catchUp,
  chunks,
  cursorOf,
  digestOf,
  type Heads,
  isAccountedFor,
  likelyIn,
  presenceIn,
  readHeads,
  tellAll,
} from './heads.ts';
import type { Cursor } from './manifest.ts';
import { mayLack, mayLeadAnywhere, planReferrers } from './referrers.ts';
import { isRenamed } from './renamed.ts';
import { scan, timeOf } from './scan.ts';
import { placeOf } from './segments.ts';
import type { Workplace } from './workplace.ts';

/**
 * Brings the copies of all models up to date. They are right, or this throws and nothing was stored.
 *
 * The service tells of changes by two lists only: the newest items by `_updated_at` and by
 * `_last_published_at`. What these cannot show (an alternative text, an archived media, an option or a
 * field that was renamed, a restored item that keeps its old time and is balanced by a deletion, an edit
 * that the service dates back) is seen at the next whole read, at most `maxAge` later.
 */
export async function bringUpToDate(work: Workplace): Promise<void> {
  if (fitsInOneRound(work)) {
    await Promise.all(work.groups.map((group) => readWhole(work, group)));
    return;
  }
  await Promise.all(work.groups.map((group) => syncGroup(work, group)));
  await Promise.all(work.groups.map((group) => readTouched(group, work.touched)));
  await readReferrers(work);
  await findVanished(work);
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

async function syncGroup(work: Workplace, group: Group): Promise<void> {
  const { source } = group;
  const before = await readHeads(source, group.cursor, work.audit);
  const whole = work.audit || group.cursor?.updated === 0 ? source.models : [...group.unread];
  if (whole.length === 0 && digestOf(before) === work.digestOf(group)) {
    await checkModels(work, group);
    return;
  }

  const known = work.wholeSince(whole);
  const { cached } = work.tally.counts();
  const likely = likelyIn(before, whole, work.concurrency);
  for (const items of await inParallel(whole, (model) => readFirst(work, group, model, likely(model)))) {
    // Of a model that is declared only now, nobody knows what came into sight since the others were read.
    if (known) group.arrive(items.filter((item) => isSince(item, known)));
  }
  // Past the CDN, which may not have heard yet of what happened meanwhile.
  const after = whole.length === 0 ? before : await readHeads(source, cursorOf(before), true);
  const since = sinceWhen(group, whole, before, after, work.tally.counts().cached > cached);
  const changes = await takeChanges(group, { before, after, since, whole });
  await raiseAlarm(group, after);
  await checkModels(work, group);
  work.advance(group, cursorOf(after), (await holds(group, after)) ? digestOf(after) : '');
  if (whole.length > 0 && !isAccountedFor(before, after, changes)) work.leaveUnsettled();
}

function readFirst(work: Workplace, group: Group, model: string, likely: number): Promise<WireContent[]> {
  return group.readModel(model, { fresh: work.audit, likely, onPage: work.onPage(model) });
}

function inParallel<T, R>(list: readonly T[], each: (one: T) => Promise<R>): Promise<R[]> {
  return Promise.all(list.map(each));
}

function isSince(item: WireContent, { updated, published }: Cursor): boolean {
  return timeOf(item, '_updated_at') >= updated || timeOf(item, '_last_published_at') >= published;
}

/** How much later than the heads a purge may reach the other copies of the CDN's. */
const PURGE = 60_000;

/**
 * From where changes are to be caught up: the cursor of what is known; for what was read whole just now,
 * the heads before it, and nothing at all if they are the same after it.
 */
function sinceWhen(
  { cursor, source }: Group,
  whole: readonly string[],
  before: Heads,
  after: Heads,
  fromCdn: boolean,
): Cursor | undefined {
  if (whole.length < source.models.length) return earliest([cursorOf(before), ...(cursor ? [cursor] : [])]);
  const { updated, published } = cursorOf(before);
  if (fromCdn) return { updated: updated - PURGE, published: published - PURGE };
  return digestOf(before) === digestOf(after) ? undefined : { updated, published };
}

interface Changes {
  readonly before: Heads;
  readonly after: Heads;
  readonly since: Cursor | undefined;
  /** The models that were read whole between the two. */
  readonly whole: readonly string[];
}

/** Takes what changed since the cursor, and gives it. */
async function takeChanges(group: Group, { before, after, since, whole }: Changes): Promise<WireContent[]> {
  const suspicious = new Set<string>();
  const wasThere = presenceIn(before);
  const changes = await trusted(group, after, since, await catchUp(group.source, after, since));
  for (const item of changes) {
    const was = await group.take(item);
    if (was === 'changed at an unchanged time') suspicious.add(item._model);
    const isLate = was === 'new' && timeOf(item, '_created_at') <= (since?.updated ?? 0);
    // What refers to it may have been read before it came.
    if (isLate || ((was === 'new' || whole.includes(item._model)) && !wasThere(item))) group.arrive([item]);
  }
  // Something that moves no time changed, and may have changed elsewhere too.
  for (const model of suspicious) await group.readAgain(model);
  return changes;
}

/** Whether the copies are what the heads say: only then do the same heads mean that nothing changed. */
async function holds(group: Group, heads: Heads): Promise<boolean> {
  const { updated, published, total } = heads;
  if (total !== group.count || !tellAll(heads)) return false;
  for (const item of [...updated.data, ...published.data]) {
    const ours = await group.copyOf(item._model).get(placeOf(item));
    if (!ours || !isSame(ours, item)) return false;
  }
  return true;
}

/**
 * A copy of the CDN's may be older than ours, and show what is gone or how it was. Whatever changed without
 * a time that is later, or turns up late, is asked for once more past it.
 */
async function trusted(
  group: Group,
  heads: Heads,
  since: Cursor | undefined,
  items: WireContent[],
): Promise<WireContent[]> {
  if (heads.fresh) return items;
  const doubtful = new Set<number>();
  for (const item of items) {
    const known = await group.copyOf(item._model).get(placeOf(item));
    const isLate = !known && timeOf(item, '_created_at') <= (since?.updated ?? 0);
    if (isLate || (known && !isSame(known, item) && !isNewer(item, known))) doubtful.add(item._id);
  }
  const sure = items.filter(({ _id }) => !doubtful.has(_id));
  for (const ids of chunks([...doubtful], 100)) sure.push(...(await group.source.byId(ids)));
  return sure;
}

/** A count that differs says that something is missing or too much, not what. */
async function raiseAlarm(group: Group, heads: Heads): Promise<void> {
  if (heads.total === group.count) return;
  let total = heads.fresh ? heads.total : await group.source.count(group.source.models);
  for (let attempt = 0; attempt < 3 && total !== group.count; attempt++) {
    const found = await findDifferences(group.source, group.copies, total - group.count);
    group.note(found.arrived, found.left);
    for (const model of found.unclear) await group.readAgain(model);
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
async function readReferrers(work: Workplace): Promise<void> {
  const arrived = work.groups.flatMap((group) => [...group.arrived.values()]);
  if (arrived.length === 0) return;
  for (const { model, filters } of planReferrers(work.models, arrived)) {
    const group = work.groupOf(model);
    const fields = work.models[model] ?? {};
    const lacking = (await group.copyOf(model).all()).filter((item) => mayLack(fields, item, arrived));
    const pages = Math.ceil(group.copyOf(model).count / 100);
    const lists = filters === 'whole' ? pages : Math.min(pages, filters.length);
    if (lacking.length <= 100 * lists) await readById(group, lacking);
    else if (filters === 'whole' || filters.length > pages) await group.readModel(model, { fresh: true });
    else for (const filter of filters) await readFiltered(group, model, filter);
  }
}

/**
 * What came into sight and went again while all was read may be referred to by what was read meanwhile, and is
 * known from nothing else. A reference that names its models is empty without it; of one that does not, content of
 * a model that is not declared looks the same.
 */
async function findVanished(work: Workplace): Promise<void> {
  const unknown = new Set<number>();
  for (const group of work.groups) {
    for (const model of group.read) {
      const fields = work.models[model] ?? {};
      if (!mayLeadAnywhere(fields)) continue;
      for (const item of await group.copyOf(model).all()) {
        visitLeaves(fields, item, ({ field, value }) => {
          if (field.type === 'reference' && !targetsOf(field)) unknown.add(value as number);
        });
      }
    }
  }
  if (unknown.size === 0) return;
  for (const copy of work.groups.flatMap(({ copies }) => [...copies.values()])) {
    for (const { _id } of await copy.all()) unknown.delete(_id);
  }
  const [any] = work.groups as [Group];
  for (const ids of chunks([...unknown], 100)) {
    const there = new Set((await any.source.whatIs(ids)).map(({ _id }) => _id));
    work.vanish(ids.filter((id) => !there.has(id)));
  }
}

async function readById(group: Group, items: readonly WireContent[]): Promise<void> {
  for (const some of chunks(items, 100)) {
    for (const item of await group.source.byId(some.map(({ _id }) => _id))) await group.take(item);
  }
}

async function readFiltered(group: Group, model: string, filters: QueryParameters): Promise<void> {
  const items = await scan(group.source, { models: [model], by: '_created_at', filters, fresh: true });
  for (const item of items) await group.take(item);
}

/** A model that had content and has none any more was renamed by its owner, or emptied. */
async function checkModels(work: Workplace, group: Group): Promise<void> {
  for (const [model, copy] of group.copies) {
    if (copy.count > 0) continue;
    const gone = [...group.removed.values()].filter((item) => item._model === model);
    if (gone.length === 0) {
      // That a model was never translated is nothing to wonder at.
      if (work.isMainLanguage)
        work.warnOnce(
          `${model} has no content that this key can see: is its LUID right? Run \`npx luid check\` to compare the models with the content`,
        );
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
