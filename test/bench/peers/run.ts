/** Compares loaders: node test/bench/peers/run.ts [--quick], after a build. */
import { readFileSync } from 'node:fs';
import { readMachine } from '../machine.ts';
import { writeResults } from '../results.ts';
import { CASES, CASES_FOR_LARGE_SPACES, COLD } from './cases.ts';
import { type Load, measure } from './measure.ts';
import { MINIMAL, PEERS, type PeerName } from './peer.ts';
import { type PeersResults, peersSection } from './peers-section.ts';

const isQuick = process.argv.includes('--quick');
const RUNS = [
  { size: 1_000, latency: 0, cases: CASES },
  { size: 1_000, latency: 50, cases: CASES },
  // Before 0 ms, so that a loader that is too slow appears in the first table of RESULTS.md.
  { size: 10_000, latency: 50, cases: CASES },
  { size: 10_000, latency: 0, cases: CASES },
  { size: 100_000, latency: 0, cases: CASES_FOR_LARGE_SPACES },
];

const loads: Load[] = [];
/** Loaders that timed out, and are skipped in later runs. */
const timedOut = new Set<PeerName>();
for (const run of isQuick ? RUNS.slice(0, 2) : RUNS) {
  for (const peer of [...PEERS, MINIMAL] as const) {
    if (timedOut.has(peer)) continue;
    const cases = peer === MINIMAL ? COLD : run.cases;
    await measure({ peer, ...run, cases }, (load) => {
      loads.push(load);
      if (load.ended === 'timeout') timedOut.add(peer);
      const { size, latency, requests, ms, ended, comparison } = load;
      console.error(
        `${peer}, ${size} at ${latency} ms, ${load.case}: ${Math.round(ms)} ms, ${requests} requests, ${ended}, equals ${comparison.equals}`,
      );
    });
  }
}

const results: PeersResults = { machine: readMachine(), versions: readVersions(), loads };
// The results of a quick run are incomplete, so they are not stored.
if (isQuick) console.log(peersSection(results));
else writeResults('peers', results);

/** The versions of the loaders and of the clients that they use. */
function readVersions(): PeersResults['versions'] {
  const bench = new URL('../', import.meta.url);
  const { version } = readPackage(new URL('../../package.json', bench));
  const names = [...PEERS.slice(2), '@strapi/client', 'storyblok-js-client', 'microcms-js-sdk'];
  return [
    { name: PEERS[0], version },
    ...names.map((name) => ({
      name,
      version: readPackage(new URL(`node_modules/${name}/package.json`, bench)).version,
    })),
  ];
}

function readPackage(file: URL): { version: string } {
  return JSON.parse(readFileSync(file, 'utf8'));
}
