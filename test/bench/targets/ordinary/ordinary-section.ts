import { describeMachine } from '../../machine.ts';
import { table } from '../../table.ts';
import { median, milliseconds, times } from '../target.ts';
import { compare, type Judged, judgeAll } from './limits.ts';
import { type Activity, CASES, find, type Measured, type OrdinaryResults, OURS, SIZES } from './measured.ts';

/** The part of RESULTS.md about sites of 200 and 1,000 items, and larger ones for comparison. */
export function ordinarySection(results: OrdinaryResults): string {
  const sizes = SIZES.filter((size) => results[size]);
  const measured = Object.fromEntries(sizes.map((size) => [size, results[size]?.measured ?? []]));
  const rows = judgeAll(measured).map(({ activity, name, against, results }) => [
    `${nameOf(activity)}: ${name}, compared with ${against}`,
    ...sizes.map((size) => (results[size] ? describe(results[size]) : '–')),
  ]);
  const machines = sizes.map((size) => {
    const { machine, measured = [] } = results[size] ?? {};
    return machine ? `${items(size)}: ${describeMachine(machine)} Rounds: ${measured[0]?.ms.length}.` : '';
  });
  return `## The ordinary site

The time of astro-luid compared with that of other loaders, and its CPU time: the middle of the ratios of all rounds, in
which all loaders are measured in turn. *Plain fetch* is thirty lines that request all pages at once, check nothing, and
store the items as they are. Each \`load()\` runs in a new process, as described [below](#compared-with-other-loaders), and
again in a real \`astro sync\`. The sites that are built have the same pages and the same content in Astro’s store. Sites
have articles with about 5 KB of HTML. CPU time is user and system time.

${machines.map((machine) => `- ${machine}`).join('\n')}

${table(['target', ...sizes.map(items)], rows)}

${sizes.map((size) => figures(items(size), measured[size] ?? [])).join('\n\n')}
`;
}

const items = (size: number) => `${size.toLocaleString('en')} items`;
const nameOf = (activity: Activity) => activity.replace(/load\(\)|astro \w+/g, '`$&`');

const describe = ({ time, cpu, limit, isMet }: Judged) =>
  `${times(time)}, CPU ${times(cpu)} (≤ ${times(limit)}) ${isMet ? 'met' : '**missed**'}`;

/** Time and CPU time of each loader; those of others with what astro-luid takes compared with them. */
function figures(title: string, measured: readonly Measured[]): string {
  const rows = [...Map.groupBy(measured, ({ activity, loader }) => `${nameOf(activity)}, ${loader}`)].map(
    ([name, ofLoader]) => [
      name,
      ...CASES.map((caseName) => {
        const one = ofLoader.find(({ name }) => name === caseName);
        if (!one) return '–';
        const used = `${milliseconds(median(one.ms))}, CPU ${milliseconds(median(one.cpu))}`;
        const ours = find(measured, one.activity, caseName, OURS);
        if (!ours || ours === one) return used;
        const { time, cpu } = compare(ours, one);
        return `${used}<br>${times(time)}, CPU ${times(cpu)}`;
      }),
    ],
  );
  return `### ${title}\n\n${table(['', ...CASES], rows)}`;
}
