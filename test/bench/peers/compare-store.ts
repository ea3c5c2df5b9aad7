import type { Entry } from './content-layer.ts';
import { applyChange, type Change, createDataset, type Dataset } from './dataset.ts';
import type { Peer } from './peer.ts';

/** How the entries in the store differ from the content of the service. */
export interface StoreComparison {
  /** `previous`: what the service had at the last correct load. */
  readonly equals: 'current' | 'previous' | 'neither';
  readonly stored: number;
  readonly missing: number;
  readonly extra: number;
  readonly different: number;
  /** Whether the embedded authors were compared. */
  readonly embeds: boolean;
}

interface Content {
  readonly size: number;
  readonly authors?: number | undefined;
  readonly changes: readonly Change[];
  /** How many of the changes were made before the last correct load. */
  readonly known: number;
}

export function compareStore(
  peer: Peer,
  entries: readonly Entry[],
  { size, authors, changes, known }: Content,
): StoreComparison {
  const datasetAfter = (some: readonly Change[]) => {
    const dataset = createDataset(size, authors);
    for (const change of some) applyChange(dataset, change);
    return dataset;
  };
  const current = countDifferences(peer, entries, datasetAfter(changes));
  const previous = countDifferences(peer, entries, datasetAfter(changes.slice(0, known)));
  const isEqual = ({ missing, extra, different }: Differences) => missing + extra + different === 0;
  const equals = isEqual(current) ? 'current' : isEqual(previous) ? 'previous' : 'neither';
  return { equals, stored: entries.length, ...current, embeds: peer.embeds };
}

/** Compares only how many entries there are. */
export function countStore(peer: Peer, { length }: readonly Entry[], { size }: Content): StoreComparison {
  const counts = { missing: Math.max(0, size - length), extra: Math.max(0, length - size), different: 0 };
  return { equals: length === size ? 'current' : 'neither', stored: length, ...counts, embeds: peer.embeds };
}

type Differences = Pick<StoreComparison, 'missing' | 'extra' | 'different'>;

function countDifferences(
  peer: Peer,
  entries: readonly Entry[],
  { articles, authors }: Dataset,
): Differences {
  const unmatched = new Map(entries.map(({ id, data }) => [id, peer.read(data)]));
  const counts = { missing: 0, extra: 0, different: 0 };
  for (const { n, title, body, author } of articles) {
    const id = peer.id(n);
    const entry = unmatched.get(id);
    unmatched.delete(id);
    const name = authors[author]?.name;
    if (!entry) counts.missing += 1;
    else if (entry.title !== title || entry.body !== body || (peer.embeds && entry.author !== name)) {
      counts.different += 1;
    }
  }
  return { ...counts, extra: unmatched.size };
}
