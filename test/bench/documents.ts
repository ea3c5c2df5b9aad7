import { readFileSync, writeFileSync } from 'node:fs';
import type { HostsResults } from './hosts/hosts-results.ts';
import { freshnessTable, sizesTable } from './hosts/hosts-tables.ts';
import type { CaseName } from './peers/cases.ts';
import { overview } from './peers/overview.ts';
import { PEERS, type PeerName } from './peers/peer.ts';
import type { PeersResults } from './peers/peers-section.ts';
import { readResults } from './results.ts';
import {
  HAND_WRITTEN,
  type OrdinaryResults,
  OURS,
  PLAIN_FETCH,
  STORYBLOK,
} from './targets/ordinary/measured.ts';
import { ordinarySummary, ordinaryTable } from './targets/ordinary/ordinary-table.ts';

/** The measured tables of documents, between `<!-- measured: NAME -->` and `<!-- /measured -->`. */
export interface MeasuredTable {
  readonly document: string;
  readonly name: string;
  /** Empty as long as nothing was measured. */
  readonly text: string;
}

const README_CASES: readonly CaseName[] = [
  'cold',
  'nothing changed',
  'one edit',
  'one deletion',
  'referenced entry edited',
];
const README_PEERS: readonly PeerName[] = [OURS, HAND_WRITTEN, STORYBLOK];

/** Made from the stored results. */
export function measuredTables(): MeasuredTable[] {
  const ordinary = readResults<OrdinaryResults>('ordinary') ?? {};
  const loads = readResults<PeersResults>('peers')?.loads ?? [];
  const run = { size: 10_000, latency: 50 };
  return [
    {
      document: 'README.md',
      name: 'ordinary',
      text: ordinarySummary(ordinary, [OURS, PLAIN_FETCH, HAND_WRITTEN, STORYBLOK]),
    },
    { document: 'README.md', name: 'peers', text: overview(loads, run, README_PEERS, README_CASES) },
    { document: 'docs/comparison.md', name: 'ordinary', text: ordinaryTable(ordinary) },
    { document: 'docs/comparison.md', name: 'peers', text: overview(loads, run, PEERS) },
    ...hostsTables('docs/guides/hosts.md', 'en'),
    ...hostsTables('docs/ja/guides/hosts.md', 'ja'),
  ];
}

function hostsTables(document: string, lang: 'en' | 'ja'): MeasuredTable[] {
  const results = readResults<HostsResults>('hosts');
  return [
    { document, name: 'freshness', text: results ? freshnessTable(results.hosts, lang) : '' },
    { document, name: 'hosts', text: results ? sizesTable(results, lang) : '' },
  ];
}

const ROOT = new URL('../../', import.meta.url);

/** Writes the tables into the documents. */
export function writeTables(): void {
  for (const { document, name, text } of measuredTables()) {
    const file = new URL(document, ROOT);
    const before = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      before.replace(place(name), (_, start, end) => `${start}${text}${text && '\n'}${end}`),
    );
  }
}

/** What a document has in the place of a table; `undefined` without such a place. */
export function tableIn(text: string, name: string): string | undefined {
  return place(name).exec(text)?.[0].split('\n').slice(1, -1).join('\n');
}

const place = (name: string) => new RegExp(`(<!-- measured: ${name} -->\n)[\\s\\S]*?(<!-- /measured -->)`);
