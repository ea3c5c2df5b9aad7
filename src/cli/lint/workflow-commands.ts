import { itemOf, problemOf } from '../../entries/lint/finding.ts';
import { printable } from '../../shared/printable.ts';
import type { LintReport } from './lint-report.ts';

/** GitHub shows so many annotations of each kind per step. */
const MAX_SHOWN = 10;

/** The first errors and warnings as workflow commands of GitHub Actions. */
export function workflowCommands({ findings }: LintReport): string[] {
  return (['error', 'warning'] as const).flatMap((kind) =>
    findings
      .filter(({ severity }) => severity === kind)
      .slice(0, MAX_SHOWN)
      .map((finding) => {
        const { rule, fix, url } = finding;
        const text = [`${itemOf(finding)}, ${problemOf(finding)}`, fix, ...(url === undefined ? [] : [url])];
        // The names of rules need no escapes.
        return `::${kind} title=${rule}::${text.map(escapeData).join('%0A')}`;
      }),
  );
}

/** `%` begins the escapes of workflow commands. */
function escapeData(text: string): string {
  return printable(text.replaceAll('%', '%25'));
}
