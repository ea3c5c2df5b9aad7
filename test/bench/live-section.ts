import { type Bar, barChart } from './bar-chart.ts';
import { describeMachine, type Machine } from './machine.ts';

/** What a server measured. Times in milliseconds, memory in bytes. */
export interface LiveFigures {
  /** From the start of the process. */
  readonly firstEntry: number;
  /** CPU time until then: does not depend on the load of the machine. */
  readonly firstEntryCpu: number;
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
  readonly where: number;
  readonly rss: [number, ...number[]] & { at(index: -1): number };
  /** Without garbage, after one minute and at the end. */
  readonly held: [number, ...number[]] & { at(index: -1): number };
  /** What is stored as JSON. */
  readonly raw: number;
  readonly requestsPerCheck: number;
}

export interface LiveResults {
  readonly machine: Machine;
  readonly seconds: number;
  readonly count: number;
  /** Nothing is stored. */
  readonly cold: LiveFigures;
  /** Everything is stored, on all cores. */
  readonly start: LiveFigures;
  /** The same on one core, and then under load. */
  readonly warm: LiveFigures;
}

interface Measurement {
  readonly what: string;
  readonly measured: number;
  readonly target: number;
  readonly unit: string;
  /** The target is the least. */
  readonly isRate?: true;
}

/** The part of RESULTS.md about pages that are served from a replica. */
export function liveSection(results: LiveResults): string {
  const { machine, seconds, count, cold, start, warm } = results;
  const rows = measurementsOf(results).map((one) => {
    const isMet = one.isRate ? one.measured >= one.target : one.measured <= one.target;
    const target = `${one.isRate ? 'at least' : 'at most'} ${format(one.target, one.unit)}`;
    return `| ${one.what} | ${format(one.measured, one.unit)} | ${target} | ${isMet ? 'met' : '**missed**'} |`;
  });
  const growth = (warm.held.at(-1) - warm.held[0]) / 1e6;
  return `## Serving from the replica

A server with ${count.toLocaleString('en')} items of about 2 KB, ${format(warm.raw / 1e6, 'MB')} of JSON in its cache. 50 loops load entries by their
id for ${seconds} s, inside the loader, on one core. The first entry is measured from the start of the process, on all
cores: the middle of five. ${describeMachine(machine)}

![Serving compared with the targets](live.svg)

| what | measured | target | |
|---|---|---|---|
${rows.join('\n')}

Without a cache, the first entry is served after ${format(cold.firstEntry, 'ms')}; with it, on one core, after ${format(warm.firstEntry, 'ms')}. Of the
${format(start.firstEntryCpu, 'ms')} of CPU time until the first entry, much is spent on verifying what is stored with SHA-256. Without garbage,
the server holds ${format(warm.held.at(-1) / 1e6, 'MB')}, ${Math.abs(growth).toFixed(1)} MB ${growth < 0 ? 'less' : 'more'} than after the first minute.
`;
}

/** Bars of what was measured beside those of the targets. */
export function liveChart(results: LiveResults): string {
  const groups = measurementsOf(results).map(({ what, measured, target, unit, isRate }) => {
    const bars: Bar[] = [
      { label: 'astro-luid', value: measured, text: format(measured, unit), kind: 'ours' },
      { label: isRate ? 'at least' : 'at most', value: target, text: format(target, unit), kind: 'other' },
    ];
    return { title: what.replaceAll('`', ''), bars };
  });
  return barChart('Serving from the replica, compared with the targets', groups);
}

function measurementsOf({ start, warm }: LiveResults): Measurement[] {
  return [
    { what: 'first entry after a start with a cache', measured: start.firstEntry, target: 1500, unit: 'ms' },
    { what: 'entry by its id, p99', measured: warm.p99, target: 10, unit: 'ms' },
    { what: 'entries per second', measured: warm.perSecond, target: 2000, unit: '', isRate: true },
    { what: '`where` over all items', measured: warm.where, target: 150, unit: 'ms' },
    {
      what: 'memory of the process',
      measured: warm.rss.at(-1) / 1e6,
      target: (2 * warm.raw) / 1e6,
      unit: 'MB',
    },
    { what: 'requests per check', measured: warm.requestsPerCheck, target: 2, unit: '' },
  ];
}

function format(value: number, unit: string): string {
  const digits = value < 10 ? 2 : 0;
  const number = value.toLocaleString('en', { maximumFractionDigits: digits });
  return unit === '' ? number : `${number} ${unit}`;
}
