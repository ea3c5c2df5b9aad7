import { type Bar, barChart } from '../bar-chart.ts';
import type { CaseName } from './cases.ts';
import { isCorrect, isNotApplicable, loadFinder, time } from './load-table.ts';
import type { Load } from './measure.ts';
import { PEERS } from './peer.ts';

const CHARTED_CASES: readonly CaseName[] = [
  'cold',
  'nothing changed',
  'one edit',
  'one deletion',
  'referenced entry edited',
];

/** A bar chart of the time of each loader, red if the result is wrong. */
export function peersChart({ loads }: { readonly loads: readonly Load[] }): string {
  const findLoad = loadFinder(loads, 10_000, 50);
  const groups = CHARTED_CASES.map((name) => ({
    title: name,
    bars: PEERS.flatMap((peer) => findLoad(peer, name) ?? []).map(barOf),
  }));
  return barChart('Load time of 10,000 entries at 50 ms latency, by loader', groups);
}

function barOf(load: Load): Bar {
  const isTimeout = load.ended === 'timeout';
  const isWrong = !isCorrect(load) && !isTimeout;
  const note = isWrong
    ? ', wrong'
    : isNotApplicable(load)
      ? ', embeds nothing'
      : isTimeout
        ? ' (aborted)'
        : '';
  return {
    label: load.peer,
    value: isTimeout ? Number.POSITIVE_INFINITY : load.ms,
    text: `${time(load)}${note}`,
    kind: isWrong ? 'wrong' : load.peer === 'astro-luid' ? 'ours' : 'other',
  };
}
