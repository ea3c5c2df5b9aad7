import { describeItem } from '../../entries/problems/describe-item.ts';
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
      .map(({ rule, id: _id, model: _model, title: _title, field, message, fix, url }) => {
        const where = [describeItem({ _id, _model, _title }), field].filter(Boolean).join(', ');
        const text = [`${where}: ${message}`, fix, ...(url === undefined ? [] : [url])];
        return `::${kind} title=${escapeProperty(rule)}::${text.map(escapeData).join('%0A')}`;
      }),
  );
}

/** `%` begins the escapes of workflow commands. */
function escapeData(text: string): string {
  return printable(text.replaceAll('%', '%25'));
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
