/** The loaders beside each other: node test/bench/peers/run.ts [--quick], after a build. */
import { readFileSync } from 'node:fs';
import { machineOf } from '../machine.ts';
import { writeResults } from '../results.ts';
import { CASES, CASES_OF_MANY, COLD } from './cases.ts';
import { type Load, measure } from './measure.ts';
import { LEAST, PEERS, type PeerName } from './peer.ts';
import { type PeersResults, peersSection } from './section.ts';

const isQuick = process.argv.includes('--quick');
const RUNS = [
  { size: 1_000, latency: 0, cases: CASES },
  { size: 1_000, latency: 50, cases: CASES },
  // First, so that whoever is too slow is so in the table that is shown first.
  { size: 10_000, latency: 50, cases: CASES },
  { size: 10_000, latency: 0, cases: CASES },
  { size: 100_000, latency: 0, cases: CASES_OF_MANY },
];

const loads: Load[] = [];
/** Those that took too long with less, and are not tried with more. */
const tooSlow = new Set<PeerName>();
for (const run of isQuick ? RUNS.slice(0, 2) : RUNS) {
  for (const peer of [...PEERS, LEAST] as const) {
    if (tooSlow.has(peer)) continue;
    const cases = peer === LEAST ? COLD : run.cases;
    await measure({ peer, ...run, cases }, (load) => {
      loads.push(load);
      if (load.ended === 'too long') tooSlow.add(peer);
      const { size, latency, requests, ms, ended, verdict } = load;
      console.error(
        `${peer}, ${size} at ${latency} ms, ${load.case}: ${Math.round(ms)} ms, ${requests} requests, ended ${ended}, equals ${verdict.equals}`,
      );
    });
  }
}

const results: PeersResults = { machine: machineOf(), versions: versionsOf(), loads };
// A part of the table is no result to keep.
if (isQuick) console.log(peersSection(results));
else writeResults('peers', results);

/** What is installed: the loaders, and the clients of theirs that ask. */
function versionsOf(): PeersResults['versions'] {
  const bench = new URL('../', import.meta.url);
  const { version } = read(new URL('../../package.json', bench));
  const names = [...PEERS.slice(2), '@strapi/client', 'storyblok-js-client', 'microcms-js-sdk'];
  return [
    { name: PEERS[0], version },
    ...names.map((name) => ({
      name,
      version: read(new URL(`node_modules/${name}/package.json`, bench)).version,
    })),
  ];
}

function read(file: URL): { version: string } {
  return JSON.parse(readFileSync(file, 'utf8'));
}
