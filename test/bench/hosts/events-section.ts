import { describeMachine, type Machine } from '../machine.ts';
import { median } from '../targets/target.ts';
import type { EventFigures } from './measure-events.ts';

export interface EventsResults extends EventFigures {
  readonly machine: Machine;
  readonly items: number;
}

const VISIBLE_LIMIT = 1000;
const REQUESTS_LIMIT = 3;

/** The part of RESULTS.md about events. */
export function eventsSection({ machine, items, publishes, flood }: EventsResults): string {
  const times = publishes.map(({ ms }) => ms);
  const counted = publishes.map((one) => one.counted);
  const [slow, many] = [percentile(times), percentile(counted)];
  return `## Events

A server of Node with ${items.toLocaleString('en')} items, on the emulator without latency, which sends a webhook for each of ${publishes.length} publishes.
${describeMachine(machine)}

| what | middle | 95 of 100 | target | |
|---|---|---|---|---|
| from a publish until its page shows it | ${Math.round(median(times))} ms | ${Math.round(slow)} ms | ≤ ${VISIBLE_LIMIT} ms | ${verdict(slow <= VISIBLE_LIMIT)} |
| requests that count against the rate limit | ${median(counted)} | ${many} | ≤ ${REQUESTS_LIMIT} | ${verdict(many <= REQUESTS_LIMIT)} |
| checks per second in a flood of ${Math.round(flood.events / flood.seconds)} events per second that announce nothing, for ${flood.seconds} s | ${flood.checks / flood.seconds} | – | ≤ 1 | ${verdict(flood.checks <= flood.seconds)} |
`;
}

const verdict = (isMet: boolean) => (isMet ? 'met' : '**missed**');

function percentile(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(0.95 * values.length) - 1] ?? Number.NaN;
}
