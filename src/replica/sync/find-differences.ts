import type { QueryParameters } from '../../client/http/canonical-url.ts';
import type { WireContent } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import { scan } from '../read/scan.ts';
import type { Source } from '../read/source.ts';
import type { ModelTable } from '../store/model-table.ts';

/** Up to this many differences are looked for one by one; with more, the model is read in full. */
const FEW = 3;
/** A smaller table is read in full as fast. */
const SMALL_TABLE = 3 * LIMITS.pageSize;

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
  readonly table: Pick<ModelTable, 'model' | 'count' | 'countBetween' | 'between' | 'middle'>;
  readonly source: Source;
}

/**
 * Finds where tables differ from the service, given by how many items they do: counts over ranges of `_created_at`
 * narrow it down, because that time never changes and so no item moves between ranges.
 */
export async function findDifferences(
  tables: readonly SourcedTable[],
  difference: number,
): Promise<Differences> {
  const result: Differences = { added: [], missing: [], unclear: [] };
  await searchModels(tables, difference, result);
  return result;
}

async function searchModels(
  tables: readonly SourcedTable[],
  difference: number,
  result: Differences,
): Promise<void> {
  if (difference === 0) return;
  const [first, second] = tables;
  if (!first) return;
  if (second) {
    const half = tables.slice(0, tables.length >> 1);
    const theirs = await first.source.count(half.map(({ table }) => table.model));
    const inHalf = theirs - half.reduce((sum, { table }) => sum + table.count, 0);
    await searchModels(half, inHalf, result);
    await searchModels(tables.slice(half.length), difference - inHalf, result);
    return;
  }
  const { model, count } = first.table;
  if (Math.abs(difference) > FEW || count <= SMALL_TABLE) result.unclear.push(model);
  else await searchRange(first, EVER, difference, result);
}

/** Times of creation, from inclusive, to exclusive. */
interface Range {
  readonly from: number;
  readonly to: number;
}

const EVER: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

async function searchRange(
  sourced: SourcedTable,
  range: Range,
  difference: number,
  result: Differences,
): Promise<void> {
  if (difference === 0) return;
  const { table, source } = sourced;
  const { from, to } = range;
  const ours = await table.countBetween(from, to);
  const fitsOnPage = ours + Math.max(0, difference) <= LIMITS.pageSize;
  const middle = fitsOnPage ? undefined : await table.middle(from, to);
  if (middle === undefined) return compareRange(sourced, range, result);
  const theirs = await source.count([table.model], createdIn({ from, to: middle }));
  const before = theirs - (await table.countBetween(from, middle));
  await searchRange(sourced, { from, to: middle }, before, result);
  await searchRange(sourced, { from: middle, to }, difference - before, result);
}

async function compareRange(
  { table, source }: SourcedTable,
  range: Range,
  result: Differences,
): Promise<void> {
  const filters = createdIn(range);
  const read = { models: [table.model], by: '_created_at', filters, bypassCdn: true } as const;
  const { items } = await scan(source, read);
  const unknown = new Map(items.map((item) => [item._id, item]));
  for (const item of await table.between(range.from, range.to)) {
    // What is known stays as it is: a reference may be empty at this moment because its target is hidden.
    if (!unknown.delete(item._id)) result.missing.push(item);
  }
  result.added.push(...unknown.values());
}

function createdIn({ from, to }: Range): QueryParameters {
  const time = (value: number) => (Number.isFinite(value) ? new Date(value).toISOString() : undefined);
  return { '_created_at[gte]': time(from), '_created_at[lt]': time(to) };
}
