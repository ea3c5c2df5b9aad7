import type { QueryParameters } from '../../client/http/canonical-url.ts';
import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import { scan } from '../read/scan.ts';
import type { Source } from '../read/source.ts';
import type { ModelTable } from '../store/model-table.ts';
import { sortKeyOf } from '../store/segments.ts';

/** Up to this many differences are looked for one by one; with more, the model is read in full. */
const FEW = 3;
export const areFew = (difference: number) => Math.abs(difference) <= FEW;
/** A smaller table is read in full as fast. */
const SMALL_TABLE = 3 * LIMITS.pageSize;
/** So many ranges are counted, or pages read, in parallel: more would take fewer rounds and many more requests. */
const MAX_PARALLEL = 5;

export interface Differences {
  /** Items that the service has and the table lacks. */
  readonly added: WireContent[];
  /** Items that the table has and a page that must have contained them has not. */
  readonly missing: WireContent[];
  /** Models with more differences than can be looked for. */
  readonly unclear: string[];
}

/** A table, and where it is read from. */
export interface SourcedTable {
  readonly table: Pick<ModelTable, 'model' | 'count' | 'countBetween' | 'between' | 'cuts'>;
  readonly source: Source;
}

/**
 * Finds where tables differ from the service, given by how many items they do: counts over ranges of `_created_at`
 * narrow it down, because that time never changes and so no item moves between ranges. If the difference itself is
 * still being counted, the first ranges are counted meanwhile.
 */
export async function findDifferences(
  tables: readonly SourcedTable[],
  difference: number | Promise<number>,
): Promise<Differences> {
  // Largest first: small ones join the last part, which is never counted.
  const slices = tables.map(wholeOf).sort((a, b) => b.count - a.count);
  if (typeof difference === 'number') return search(slices, difference);
  const [known, parts] = await Promise.all([difference, divide(slices, LIMITS.pageSize).then(countParts)]);
  const isUsable = known !== 0 && areFew(known) && parts.length > 1;
  return isUsable ? searchParts(parts, known) : search(slices, known);
}

/** The items of a table that were created in a range. */
interface Slice extends SourcedTable {
  readonly range: Range;
  /** How many the table has. */
  readonly count: number;
}

/** Times of creation, from inclusive, to exclusive. */
interface Range {
  readonly from: number;
  readonly to: number;
}

const EVER: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

const wholeOf = (sourced: SourcedTable): Slice => ({ ...sourced, range: EVER, count: sourced.table.count });
const isWhole = ({ range }: Slice) => range === EVER;
const isSmall = (slice: Slice) => isWhole(slice) && slice.count <= SMALL_TABLE;
const sizeOf = (slices: readonly Slice[]) => slices.reduce((sum, { count }) => sum + count, 0);

async function search(slices: readonly Slice[], difference: number): Promise<Differences> {
  const [first] = slices;
  if (!first || difference === 0) return joinDifferences([]);
  const room = LIMITS.pageSize - Math.max(0, difference);
  const parts = areFew(difference) ? await divide(slices, room) : divideModels(slices);
  if (parts.length > 1) return searchParts(await countParts(parts), difference);
  if (!areFew(difference) || isSmall(first)) return unclear(slices);
  return joinDifferences(await Promise.all(slices.map((slice) => compareSlice(slice, room))));
}

function unclear(slices: readonly Slice[]): Differences {
  return { added: [], missing: [], unclear: slices.map(({ table }) => table.model) };
}

/** Slices that are counted together, and how many items more the service has in them. */
interface CountedPart {
  readonly slices: readonly Slice[];
  /** `undefined` of the last part: it is what the others leave. */
  readonly difference: number | undefined;
}

async function searchParts(parts: readonly CountedPart[], difference: number): Promise<Differences> {
  const rest = parts.reduce((left, part) => left - (part.difference ?? 0), difference);
  return joinDifferences(
    await Promise.all(parts.map((part) => search(part.slices, part.difference ?? rest))),
  );
}

function countParts(parts: readonly (readonly Slice[])[]): Promise<CountedPart[]> {
  return Promise.all(
    parts.map(async (slices, index) => {
      const [first] = slices;
      if (!first || index === parts.length - 1) return { slices, difference: undefined };
      const models = slices.map(({ table }) => table.model);
      const theirs = await first.source.count(models, createdIn(first.range));
      return { slices, difference: theirs - sizeOf(slices) };
    }),
  );
}

/** Divides several whole models into parts; not if one of them is divided already. */
function divideModels(slices: readonly Slice[]): Slice[][] {
  return slices.every(isWhole) ? chunks(slices, Math.ceil(slices.length / MAX_PARALLEL)) : [[...slices]];
}

/**
 * Divides slices into parts of about equal size, as many as lead to single pages in the fewest rounds; not if their
 * pages can be read at once. A part is a range of one model, or several models as a whole; only the last may be
 * anything, since it is not counted.
 */
async function divide(slices: readonly Slice[], room: number): Promise<Slice[][]> {
  const pages = Math.ceil(sizeOf(slices) / room);
  if (pages <= MAX_PARALLEL) return divideModels(slices);
  const ways = waysFor(pages);
  const target = sizeOf(slices) / ways;
  const parts: Slice[][] = [];
  for (const slice of slices) {
    const cut = await cutSlice(slice, Math.round(slice.count / target));
    const last = parts.at(-1);
    const fits = last && [...last, ...cut].every(isWhole) && sizeOf([...last, slice]) <= 1.25 * target;
    if (fits) last.push(slice);
    else parts.push(...cut.map((part) => [part]));
  }
  return [...parts.slice(0, ways - 1), parts.slice(ways - 1).flat()].filter((part) => part.length > 0);
}

/** In how many parts to divide so many pages, so that every round has about as many requests. */
function waysFor(pages: number): number {
  let rounds = 1;
  while (pages > MAX_PARALLEL ** rounds) rounds += 1;
  return Math.ceil(Math.round(1e6 * pages ** (1 / rounds)) / 1e6);
}

async function cutSlice(slice: Slice, parts: number): Promise<Slice[]> {
  const { table, range } = slice;
  const times = parts > 1 ? await table.cuts(range.from, range.to, parts) : [];
  if (times.length === 0) return [slice];
  return Promise.all(
    rangesBetween(range, times).map(async (part) => ({
      ...slice,
      range: part,
      count: await table.countBetween(part.from, part.to),
    })),
  );
}

/** Reads a slice page by page and compares it. A small table that differs is then read in full, as any other is. */
async function compareSlice(slice: Slice, room: number): Promise<Differences> {
  const { table, range } = slice;
  const items = await table.between(range.from, range.to);
  const times = pageBreaks(
    items.map((item) => sortKeyOf(item).time),
    room,
  );
  const pages = await Promise.all(rangesBetween(range, times).map((page) => compareRange(slice, page)));
  const found = joinDifferences(pages);
  const isEqual = found.added.length === 0 && found.missing.length === 0;
  return isSmall(slice) && !isEqual ? unclear([slice]) : found;
}

/** Whole seconds that cut ascending times into parts with room on a page; those of one second stay together. */
export function pageBreaks(times: readonly number[], room: number): number[] {
  const breaks: number[] = [];
  for (let start = 0; times.length - start > room; ) {
    const second = secondOf(times[start] as number);
    const fits = secondOf(times[start + room] as number);
    const at = fits > second ? fits : second + SECOND;
    start = times.findIndex((time, index) => index > start && time >= at);
    if (start === -1) break;
    breaks.push(at);
  }
  return breaks;
}

const SECOND = 1000;
const secondOf = (time: number) => Math.floor(time / SECOND) * SECOND;

function rangesBetween({ from, to }: Range, times: readonly number[]): Range[] {
  return [from, ...times].map((start, index) => ({ from: start, to: times[index] ?? to }));
}

async function compareRange({ table, source }: SourcedTable, range: Range): Promise<Differences> {
  const filters = createdIn(range);
  const read = { models: [table.model], by: '_created_at', filters, bypassCdn: true } as const;
  const { items } = await scan(source, read);
  const unknown = new Map(items.map((item) => [item._id, item]));
  // What is known stays as it is: a reference may be empty at this moment because its target is hidden.
  const missing = (await table.between(range.from, range.to)).filter(({ _id }) => !unknown.delete(_id));
  return { added: [...unknown.values()], missing, unclear: [] };
}

function joinDifferences(all: readonly Differences[]): Differences {
  return {
    added: all.flatMap(({ added }) => added),
    missing: all.flatMap(({ missing }) => missing),
    unclear: [...new Set(all.flatMap((differences) => differences.unclear))],
  };
}

function createdIn({ from, to }: Range): QueryParameters {
  const time = (value: number) => (Number.isFinite(value) ? new Date(value).toISOString() : undefined);
  return { '_created_at[gte]': time(from), '_created_at[lt]': time(to) };
}
