import type { QueryParameters } from '../../../client/http/canonical-url.ts';
import type { WireContent } from '../../../contract/content.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { scan } from '../../read/scan.ts';
import type { SyncSession } from '../session.ts';

/** Up to this many differences are looked for one by one; with more, models are read in full. */
const FEW = 3;
/** Up to so many ranges are counted in parallel: more would take fewer rounds and many more requests. */
const MAX_PARTS = 4;
/** A range of up to so many pages is read: to count its parts first would take a round longer. */
const FEW_PAGES = 2;
const SECOND = 1000;

export interface Differences {
  /** Items that the service has and the tables lack. */
  readonly added: readonly WireContent[];
  /** Items that the tables have and a page that must have contained them has not. */
  readonly missing: readonly WireContent[];
  /** Models with more differences than can be looked for. */
  readonly unclear: readonly string[];
}

const NONE: Differences = { added: [], missing: [], unclear: [] };

type Tables = Pick<SyncSession, 'groups' | 'headsSource' | 'models'>;

/**
 * Finds where the tables differ from the service, given by how many items they do: counts over ranges of
 * `_created_at` narrow it down, because that time never changes and so no item moves between ranges.
 */
export async function findDifferences(tables: Tables, difference: number): Promise<Differences> {
  if (difference === 0) return NONE;
  if (Math.abs(difference) > FEW) return { ...NONE, unclear: await modelsThatDiffer(tables) };
  const times = (await Promise.all(tables.groups.map((group) => group.creationTimes()))).flat();
  const everything = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  return search(tables, { ...everything, times: times.sort((a, b) => a - b) }, difference);
}

async function modelsThatDiffer({ groups }: Tables): Promise<string[]> {
  const counted = groups.flatMap(({ tables, source }) =>
    [...tables.values()].map(async ({ model, count }) =>
      (await source.count([model])) === count ? [] : [model],
    ),
  );
  return (await Promise.all(counted)).flat();
}

/** Times of creation, from inclusive, to exclusive; and those of the items in the tables, ascending. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly times: readonly number[];
}

async function search(tables: Tables, range: Range, difference: number): Promise<Differences> {
  if (difference === 0) return NONE;
  const pages = Math.ceil((range.times.length + Math.max(0, difference)) / LIMITS.pageSize);
  const parts = pages > FEW_PAGES ? divide(range, Math.min(pages, MAX_PARTS)) : [range];
  if (parts.length === 1) return compare(tables, range);
  const counted = parts.slice(0, -1).map(async (part) => {
    const count = await tables.headsSource.count(Object.keys(tables.models), { filters: createdIn(part) });
    return count - part.times.length;
  });
  const found = await Promise.all(counted);
  // The last part has what the others leave.
  const rest = found.reduce((left, other) => left - other, difference);
  return join(await Promise.all(parts.map((part, index) => search(tables, part, found[index] ?? rest))));
}

/** Divides a range at whole seconds into parts of about equal size: fewer if its items are of few seconds. */
function divide({ from, to, times }: Range, parts: number): Range[] {
  const cuts = new Set<number>();
  for (let part = 1; part < parts; part++) {
    const time = times[Math.floor((part * times.length) / parts)] as number;
    const second = Math.floor(time / SECOND) * SECOND;
    if (second > from && second > (times[0] as number)) cuts.add(second);
  }
  const starts = [from, ...cuts];
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? to;
    return { from: start, to: end, times: times.filter((time) => time >= start && time < end) };
  });
}

/** Reads all items that were created in a range. */
async function compare({ groups }: Tables, range: Range): Promise<Differences> {
  const compared = groups.map(async ({ source, tables }): Promise<Differences> => {
    const between = [...tables.values()].map((table) => table.between(range.from, range.to));
    const known = (await Promise.all(between)).flat();
    const { items } = await scan(source, {
      models: [...tables.keys()],
      by: '_created_at',
      filters: createdIn(range),
      bypassCdn: true,
      expected: known.length,
    });
    const unknown = new Map(items.map((item) => [item._id, item]));
    // What is known stays as it is: a reference may be empty at this moment because its target is hidden.
    const missing = known.filter(({ _id }) => !unknown.delete(_id));
    return { added: [...unknown.values()], missing, unclear: [] };
  });
  return join(await Promise.all(compared));
}

function join(all: readonly Differences[]): Differences {
  return {
    added: all.flatMap(({ added }) => added),
    missing: all.flatMap(({ missing }) => missing),
    unclear: [],
  };
}

function createdIn({ from, to }: Range): QueryParameters {
  const time = (value: number) => (Number.isFinite(value) ? new Date(value).toISOString() : undefined);
  return { '_created_at[gte]': time(from), '_created_at[lt]': time(to) };
}
