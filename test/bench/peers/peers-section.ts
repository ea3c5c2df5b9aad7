import { CONCURRENT_READS } from '../../../src/client/http/limits/rate-limiter.ts';
import { LIMITS } from '../../../src/contract/limits.ts';
import { describeMachine, type Machine } from '../machine.ts';
import { table } from '../table.ts';
import { CASE_NAMES } from './cases.ts';
import { cpuTime, loadFinder, memory, outcome, requests, seconds, size, time } from './load-table.ts';
import type { Load } from './measure.ts';
import { METHOD, NOTES } from './methodology.ts';
import { overview } from './overview.ts';
import { PEERS, type PeerName, PLAIN_FETCH } from './peer.ts';

/** results/peers.json. */
export interface PeersResults {
  readonly machine: Machine;
  readonly versions: readonly { readonly name: string; readonly version: string }[];
  readonly loads: readonly Load[];
}

const [OURS] = PEERS;
const ALL = [...PEERS, PLAIN_FETCH] as const;

/** The part of RESULTS.md that compares loaders. */
export function peersSection({ machine, versions, loads }: PeersResults): string {
  const runs = [...new Map(loads.map((load) => [`${load.size} ${load.latency}`, load])).values()];
  const main = runs.find((run) => run.size === 10_000 && run.latency === 50) ?? runs.at(-1);
  return [
    '## Compared with other loaders',
    describeMachine(machine),
    `${versions.map(({ name, version }) => `${name} ${version}`).join(', ')}.`,
    METHOD,
    '![Load time by loader](peers.svg)',
    ...(main ? [heading(main), overview(loads, main), ratios(loads, main)] : []),
    NOTES,
    '### All figures',
    ...runs.map((run) => details(loads, run)),
  ]
    .join('\n\n')
    .concat('\n');
}

interface Run {
  readonly size: number;
  readonly latency: number;
}

const title = (run: Run) => `${run.size.toLocaleString('en')} entries at ${run.latency} ms`;
const heading = (run: Run) => `### ${title(run)}`;

/** The cold loads compared with astro-luid, and astro-luid compared with the latency alone. */
function ratios(loads: readonly Load[], run: Run): string {
  const cold = (peer: PeerName) => loadFinder(loads, run.size, run.latency)(peer, 'cold');
  const ours = cold(OURS);
  if (!ours) return '';
  const pages = Math.ceil(run.size / (LIMITS.pageSize - 1));
  const ideal = (pages * run.latency) / CONCURRENT_READS;
  const rows = ALL.flatMap((peer) => {
    const load = cold(peer);
    return load ? [[peer, time(load), ratio(load, ours), requests(load), size(load.bytes)]] : [];
  });
  const note = `The latency alone, ${pages} pages with ${CONCURRENT_READS} in parallel, is ${seconds(ideal)}; astro-luid takes ${(ours.ms / ideal).toFixed(1)} times as long.`;
  return `${table(['cold', 'time', 'compared with astro-luid', 'requests', 'bytes'], rows)}${run.latency > 0 ? `\n\n${note}` : ''}`;
}

function ratio(load: Load, ours: Load): string {
  const times = (load.ms / ours.ms).toFixed(1);
  return load.ended === 'timeout' ? `> ${times}×` : `${times}×`;
}

/** All loads of a run. */
function details(loads: readonly Load[], run: Run): string {
  const findLoad = loadFinder(loads, run.size, run.latency);
  const rows = CASE_NAMES.flatMap((name) =>
    ALL.flatMap((peer) => {
      const found = findLoad(peer, name);
      if (!found) return [];
      return [
        [
          name,
          peer,
          requests(found),
          size(found.bytes),
          time(found),
          cpuTime(found),
          memory(found.peak),
          outcome(found),
        ],
      ];
    }),
  );
  const head = ['case', 'loader', 'requests', 'bytes', 'time', 'CPU time', 'peak memory', 'result'];
  return `<details><summary>${title(run)}</summary>\n\n${table(head, rows)}\n\n</details>`;
}
