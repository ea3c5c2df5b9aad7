import { table } from '../table.ts';
import { CASE_NAMES } from './cases.ts';
import { loadFinder, outcome, time } from './load-table.ts';
import type { Load } from './measure.ts';
import { PEERS } from './peer.ts';

/** Time and result of each loader in each case, at one size and latency. */
export function overview(
  loads: readonly Load[],
  run: Pick<Load, 'size' | 'latency'>,
  peers: readonly Load['peer'][] = PEERS,
  cases: readonly Load['case'][] = CASE_NAMES,
): string {
  const findLoad = loadFinder(loads, run.size, run.latency);
  return table(
    ['', ...cases],
    peers.map((peer) => [
      peer,
      ...cases.map((name) => {
        const found = findLoad(peer, name);
        return found ? `${time(found)}<br>${outcome(found)}` : 'not run';
      }),
    ]),
  );
}
