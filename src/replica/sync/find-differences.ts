import type { QueryParameters } from '../../client/http/canonical-url.ts';
import type { WireContent } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { ModelCopy } from '../store/model-table.ts';
import { scan } from './scan.ts';
import type { Source } from './source.ts';

/** Up to this many differences are looked for one by one; with more, the model is read in full. */
const FEW = 3;

export interface Differences {
  /** Items that the service has and the copy lacked: they have been added. */
  readonly found: WireContent[];
  /** Items that the copy had and the service has no more: they have been removed. */
  readonly missing: WireContent[];
  /** Models with more differences than can be looked for. */
  readonly unclear: string[];
}

/** A copy, and where it is read from. */
export interface ReadCopy {
  readonly copy: ModelCopy;
  readonly source: Source;
}

/**
 * Finds where copies differ from the service, given by how many items they do: counts over ranges of `_created_at`
 * narrow it down, because that time never changes and so no item moves between ranges. An item is removed only
 * when a page was read that must have contained it.
 */
export async function findDifferences(copies: readonly ReadCopy[], difference: number): Promise<Differences> {
  const found: Differences = { found: [], missing: [], unclear: [] };
  await inModels(copies, difference, found);
  return found;
}

async function inModels(copies: readonly ReadCopy[], difference: number, found: Differences): Promise<void> {
  if (difference === 0) return;
  const [first, second] = copies;
  if (!first) return;
  if (second) {
    const half = copies.slice(0, copies.length >> 1);
    const theirs = await first.source.count(half.map(({ copy }) => copy.model));
    const inHalf = theirs - half.reduce((sum, { copy }) => sum + copy.count, 0);
    await inModels(half, inHalf, found);
    await inModels(copies.slice(half.length), difference - inHalf, found);
    return;
  }
  const { copy, source } = first;
  if (Math.abs(difference) > FEW || copy.count <= 3 * LIMITS.pageSize) found.unclear.push(copy.model);
  else await inRange(source, copy, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, difference, found);
}

async function inRange(
  source: Source,
  copy: ModelCopy,
  from: number,
  to: number,
  difference: number,
  found: Differences,
): Promise<void> {
  if (difference === 0) return;
  const ours = await copy.countBetween(from, to);
  const middle = ours + Math.max(0, difference) <= LIMITS.pageSize ? undefined : await copy.middle(from, to);
  if (middle === undefined) return settle(source, copy, from, to, found);
  const theirs = await source.count([copy.model], createdBetween(from, middle));
  const before = theirs - (await copy.countBetween(from, middle));
  await inRange(source, copy, from, middle, before, found);
  await inRange(source, copy, middle, to, difference - before, found);
}

/** Reads a range, adds what the copy lacks and removes what does not exist any more. */
async function settle(
  source: Source,
  copy: ModelCopy,
  from: number,
  to: number,
  found: Differences,
): Promise<void> {
  const filters = createdBetween(from, to);
  const { items: theirs } = await scan(source, {
    models: [copy.model],
    by: '_created_at',
    filters,
    fresh: true,
  });
  const ids = new Set(theirs.map(({ _id }) => _id));
  const ours = await copy.between(from, to);
  for (const item of ours) {
    if (ids.delete(item._id)) continue;
    await copy.remove(item);
    found.missing.push(item);
  }
  // What is known stays as it is: a reference may be empty at this moment because its target is hidden.
  for (const item of theirs.filter(({ _id }) => ids.has(_id))) {
    await copy.put(item);
    found.found.push(item);
  }
}

function createdBetween(from: number, to: number): QueryParameters {
  const time = (value: number) => (Number.isFinite(value) ? new Date(value).toISOString() : undefined);
  return { '_created_at[gte]': time(from), '_created_at[lt]': time(to) };
}
