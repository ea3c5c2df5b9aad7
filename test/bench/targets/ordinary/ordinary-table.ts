import { table } from '../../table.ts';
import { median, milliseconds } from '../target.ts';
import { type Activity, type CaseName, find, type OrdinaryResults, SIZES } from './measured.ts';

const SHOWN_SIZES = SIZES.slice(0, 2);
const SHOWN: readonly (readonly [Activity, string, readonly CaseName[]])[] = [
  ['load()', 'one load without latency', ['cold', 'nothing changed', 'one edit']],
  ['astro build', 'a whole `astro build`', ['nothing changed', 'one edit']],
];

const NOTE = 'Time and CPU time. *Plain fetch* requests everything at once, and checks nothing.';

/** Time of one load without latency, in one table. */
export function ordinarySummary(results: OrdinaryResults, loaders: readonly string[]): string {
  if (!SHOWN_SIZES.every((size) => results[size])) return '';
  const columns = SHOWN_SIZES.flatMap((size) =>
    (['cold', 'nothing changed', 'one edit'] as const).map((name) => ({ size, name })),
  );
  const head = columns.map(({ size, name }) => `${size.toLocaleString('en')} items: ${name}`);
  const rows = loaders.map((loader) => [
    loader,
    ...columns.map(({ size, name }) => {
      const one = find(results[size]?.measured ?? [], 'load()', name, loader);
      return one ? milliseconds(median(one.ms)) : '–';
    }),
  ]);
  return table(['', ...head], rows);
}

/** Time and CPU time on sites of 200 and 1,000 items, for the documents; empty if they were not measured. */
export function ordinaryTable(results: OrdinaryResults): string {
  if (!SHOWN_SIZES.every((size) => results[size])) return '';
  const tables = SHOWN_SIZES.flatMap((size) => {
    const measured = results[size]?.measured ?? [];
    return SHOWN.map(([activity, title, cases]) => {
      const rows = [
        ...new Set(measured.filter((one) => one.activity === activity).map(({ loader }) => loader)),
      ].map((loader) => [
        loader,
        ...cases.map((name) => {
          const one = find(measured, activity, name, loader);
          return one ? `${milliseconds(median(one.ms))}, CPU ${milliseconds(median(one.cpu))}` : '–';
        }),
      ]);
      return table([`${size.toLocaleString('en')} items, ${title}`, ...cases], rows);
    });
  });
  return [NOTE, ...tables].join('\n\n');
}
