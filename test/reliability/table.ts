import type { Fault } from './fault.ts';
import { PROMISES, type PromiseName } from './promises.ts';

/** How many loads a promise was held against, or why against none, or that it was broken. */
export type Cell = { readonly loads: number } | { readonly reason: string } | 'broken';

/** What a run found, by fault and promise. */
export type Findings = ReadonlyMap<string, ReadonlyMap<PromiseName, Cell>>;

/** The matrix as Markdown. */
export function tableOf(faults: readonly Fault[], findings: Findings): string {
  const reasons: string[] = [];
  const show = (cell: Cell | undefined) => {
    if (!cell) return 'not run';
    if (cell === 'broken') return '**broken**';
    if ('loads' in cell) return `✓ ${cell.loads}`;
    if (!reasons.includes(cell.reason)) reasons.push(cell.reason);
    return `n/a (${reasons.indexOf(cell.reason) + 1})`;
  };
  const rows = faults.map(({ name }) => [
    name,
    ...PROMISES.map((promise) => show(findings.get(name)?.get(promise.name))),
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    '# The fault matrix',
    '',
    'What is promised, whatever goes wrong. Made by `test/reliability/matrix.test.ts`, which fails if this is not',
    'what it finds; `LUID_UPDATE=1 npm test -- test/reliability/matrix.test.ts` writes it anew.',
    '',
    'Each number is how many loads the promise was held against, under the fault and quiet ones after it. A fault',
    'happens to each request once, and without end; to a site that has nothing yet, and to one that is up to date',
    'but for today’s edits; where a space is read whole, and where only changes are; with `onError` `fail` and `stale`.',
    '',
    line(['', ...PROMISES.map(({ name }) => name)]),
    line(['---', ...PROMISES.map(() => '---')]),
    ...rows.map(line),
    '',
    ...reasons.map((reason, index) => `${index + 1}. ${reason}`),
    '',
  ].join('\n');
}
