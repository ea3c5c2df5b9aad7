import type { Entry } from './content-layer.ts';
import { applyChange, type Change, type Corpus, createCorpus } from './corpus.ts';
import type { Peer } from './peer.ts';

/** Whether the store holds what the service has now, or else what it had at the last good load. */
export interface Verdict {
  readonly equals: 'now' | 'last good' | 'neither';
  readonly stored: number;
  /** How the store differs from what the service has now. */
  readonly missing: number;
  readonly extra: number;
  readonly different: number;
  /** Whether the embedded authors were compared. */
  readonly embeds: boolean;
}

interface Content {
  readonly size: number;
  readonly changes: readonly Change[];
  readonly known: number;
}

export function judge(peer: Peer, entries: readonly Entry[], { size, changes, known }: Content): Verdict {
  const now = compare(peer, entries, corpusAfter(size, changes));
  const before = compare(peer, entries, corpusAfter(size, changes.slice(0, known)));
  const isEqual = ({ missing, extra, different }: Difference) => missing + extra + different === 0;
  const equals = isEqual(now) ? 'now' : isEqual(before) ? 'last good' : 'neither';
  return { equals, stored: entries.length, ...now, embeds: peer.embeds };
}

type Difference = Pick<Verdict, 'missing' | 'extra' | 'different'>;

function compare(peer: Peer, entries: readonly Entry[], { articles, authors }: Corpus): Difference {
  const shown = new Map(entries.map(({ id, data }) => [id, peer.read(data)]));
  const counts = { missing: 0, extra: 0, different: 0 };
  for (const { n, title, body, author } of articles) {
    const id = peer.id(n);
    const entry = shown.get(id);
    shown.delete(id);
    const name = authors[author]?.name;
    if (!entry) counts.missing += 1;
    else if (entry.title !== title || entry.body !== body || (peer.embeds && entry.author !== name)) {
      counts.different += 1;
    }
  }
  return { ...counts, extra: shown.size };
}

function corpusAfter(size: number, changes: readonly Change[]): Corpus {
  const corpus = createCorpus(size);
  for (const change of changes) applyChange(corpus, change);
  return corpus;
}
