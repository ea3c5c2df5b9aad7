import { type Finding, itemOf, problemOf } from '../../entries/lint/finding.ts';
import { formatCount, pluralize } from '../../shared/format-count.ts';
import { printable } from '../../shared/printable.ts';
import { styleText } from '../shared/node-util.ts';
import { logInfo, print, styled } from '../shared/output.ts';

/** What `luid lint --json` prints. */
export interface LintReport {
  /** There are no errors. */
  readonly ok: boolean;
  readonly items: number;
  readonly errors: number;
  readonly warnings: number;
  /** With the URL where the item is edited, if `editUrl` is set. */
  readonly findings: readonly (Finding & { readonly url?: string })[];
}

const COLORS = { error: 'red', warning: 'yellow' } as const;
/** Of a rule; `--json` has all. */
const MAX_SHOWN = 50;
const MAX_MESSAGE = 200;

/** By item on stdout: what is wrong, where, what to do, and where to do it. The counts are on stderr. */
export function printReport({ findings, items, errors, warnings }: LintReport): void {
  const color = (style: 'red' | 'yellow' | 'dim' | 'bold', text: string) =>
    styleText(style, text, { stream: process.stdout });
  const shown = new Map<string, number>();
  for (const [, own] of Map.groupBy(findings, ({ model, id }) => `${model} ${id}`)) {
    const lines = own.flatMap((finding) => {
      const { rule, severity, fix } = finding;
      const count = (shown.get(rule) ?? 0) + 1;
      shown.set(rule, count);
      if (count > MAX_SHOWN) return [];
      const text = printable(problemOf(finding), MAX_MESSAGE);
      return [
        `  ${color(COLORS[severity], severity.padEnd(7))}  ${text}  ${color('dim', rule)}`,
        color('dim', `           → ${fix}`),
      ];
    });
    const [first] = own;
    if (!first || lines.length === 0) continue;
    const edit = first.url === undefined ? '' : `  ${color('dim', printable(first.url))}`;
    print(`${color('bold', itemOf(first))}${edit}\n${lines.join('\n')}\n`);
  }
  for (const [rule, count] of shown) {
    if (count > MAX_SHOWN) logInfo(`${rule}: ${formatCount(count - MAX_SHOWN)} more; --json prints all.`);
  }
  const counts = [
    styled(errors > 0 ? 'red' : 'green', pluralize(errors, 'error')),
    styled(warnings > 0 ? 'yellow' : 'green', pluralize(warnings, 'warning')),
  ];
  logInfo(`${counts.join(', ')} in ${pluralize(items, 'item')}.`);
}
