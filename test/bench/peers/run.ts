/**
 * Compares loaders: node test/bench/peers/run.ts [--quick] [--only=SIZE@LATENCY], after a build. With --only, the results
 * of other sizes are kept.
 */
import { readFileSync } from 'node:fs';
import { readMachine } from '../machine.ts';
import { readResults, writeResults } from '../results.ts';
import { CASES, CASES_FOR_LARGE_SPACES, COLD } from './cases.ts';
import { isCorrect } from './load-table.ts';
import { type Load, measure } from './measure.ts';
import { PEERS, type PeerName, PLAIN_FETCH } from './peer.ts';
import { type PeersResults, peersSection } from './peers-section.ts';

const isQuick = process.argv.includes('--quick');
const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length);
const RUNS = [
  { size: 1_000, latency: 0, cases: CASES, rounds: 1 },
  { size: 1_000, latency: 50, cases: CASES, rounds: 1 },
  // Before 0 ms, so that a loader that is too slow appears in the first table of RESULTS.md.
  { size: 10_000, latency: 50, cases: CASES, rounds: 3 },
  { size: 10_000, latency: 0, cases: CASES, rounds: 1 },
  { size: 100_000, latency: 0, cases: CASES_FOR_LARGE_SPACES, rounds: 1 },
];
const nameOf = ({ size, latency }: Pick<Load, 'size' | 'latency'>) => `${size}@${latency}`;
const chosen = (isQuick ? RUNS.slice(0, 2) : RUNS).filter((run) => !only || nameOf(run) === only);
if (chosen.length === 0) {
  console.error(`Unknown size and latency ${only}. Available: ${RUNS.map(nameOf).join(', ')}.`);
  process.exit(1);
}

const loads: Load[] = [];
/** Loaders that timed out, and are skipped in later runs. */
const timedOut = new Set<PeerName>();
for (const { rounds, ...run } of chosen) {
  const all: Load[] = [];
  // All loaders in each round, so that what else the machine does affects all of them.
  for (let round = 0; round < (isQuick ? 1 : rounds); round++) {
    for (const peer of [...PEERS, PLAIN_FETCH] as const) {
      if (timedOut.has(peer)) continue;
      const cases = peer === PLAIN_FETCH ? COLD : run.cases;
      await measure({ peer, ...run, cases }, (load) => {
        all.push(load);
        if (load.ended === 'timeout') timedOut.add(peer);
        const { size, latency, requests, ms, ended, comparison } = load;
        console.error(
          `${peer}, ${size} at ${latency} ms, ${load.case}: ${Math.round(ms)} ms, ${requests} requests, ${ended}, equals ${comparison.equals}`,
        );
      });
    }
  }
  loads.push(...[...Map.groupBy(all, (load) => `${load.peer} ${load.case}`).values()].map(representative));
}

const stored = only ? (readResults<PeersResults>('peers')?.loads ?? []) : [];
const results: PeersResults = {
  machine: readMachine(),
  versions: readVersions(),
  loads: RUNS.flatMap((run) =>
    [...(chosen.includes(run) ? loads : stored)].filter((load) => nameOf(load) === nameOf(run)),
  ),
};
// The results of a quick run are incomplete, so they are not stored.
if (isQuick) console.log(peersSection(results));
else writeResults('peers', results);

/** The middle one of those that are wrong, if any is, else of all. */
function representative(rounds: readonly Load[]): Load {
  const wrong = rounds.filter((load) => !isCorrect(load));
  const compared = wrong.length > 0 ? wrong : rounds;
  return compared.toSorted((a, b) => a.ms - b.ms)[(compared.length - 1) >> 1] as Load;
}

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
