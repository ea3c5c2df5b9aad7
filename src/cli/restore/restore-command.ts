import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { pluralize } from '../../shared/format-count.ts';
import { folderSource } from '../backup/files.ts';
import { readExport } from '../backup/read-export.ts';
import { findSpace } from '../diff/open-sides.ts';
import { writeExport } from '../export/write-export.ts';
import { defineCommand, type Passed, UsageError, type Values } from '../shared/command.ts';
import { SPACE_OPTIONS } from '../shared/load-space.ts';
import { flag, list, text } from '../shared/option-kinds.ts';
import { logInfo, logWarning } from '../shared/output.ts';
import { exportHash, type Plan, planRestore } from './plan-restore.ts';
import { formatTime, printPlan, printResult } from './print-restore.ts';
import { remainingTime } from './remaining-time.ts';
import { RestoreLog } from './restore-log.ts';
import { runRestore } from './run-restore.ts';
import { openTarget, type Target } from './target.ts';

const OPTIONS = {
  to: text('FILE', 'the space that a .env file names (default: that of the project)', 'a file'),
  'dry-run': flag('only print the plan; nothing is written'),
  yes: flag('write without asking'),
  'only-missing': flag('create what is missing, and leave everything that exists as it is'),
  models: list('MODEL,…', 'only these models (default: all)', 'models such as article,author'),
  ...SPACE_OPTIONS,
};

const NOTES = `Items are matched by id in the space of the export, by slug (or else title) in another one. Nothing is
deleted, and what somebody edits meanwhile is skipped. What is overwritten is exported first, into DIR-before-TIME.
DIR/restore-….log has the ids of what was created: run the command again to resume an interrupted restore.
The service allows 30 writes per minute.

Exit codes: 0 restored, 1 something was skipped or rejected, or another failure, 2 invalid options.

  luid restore backup --dry-run
  luid restore backup --only-missing --yes
  luid restore backup --to .env.staging`;

export const restoreCommand = defineCommand(
  {
    name: 'restore',
    about: 'write an export back into its space, or into another one',
    positionals: [{ argument: 'DIR', about: 'the export' }],
    options: OPTIONS,
    notes: NOTES,
  },
  restore,
);

async function restore(options: Values<typeof OPTIONS> & Passed): Promise<number> {
  const folder = resolve(options.positionals[0] ?? '');
  const exported = await readExport(folderSource(folder));
  const { space, name } = await findSpace(options.to, exported, options);
  const target = await openTarget(space, name, exported);
  const log = await RestoreLog.open(logPath(folder, target));
  const isResumed = log.unfinished === exportHash(exported);
  if (isResumed) logInfo('Resuming the restore that was interrupted');
  else log.forgetItems();
  const { models, 'only-missing': onlyMissing } = options;
  const plan = await planRestore(exported, target, log, { models, onlyMissing });
  printPlan(plan, target.source.baseUrl);
  for (const url of log.openUploads)
    logWarning(`${url} may be uploaded twice: the service does not list media`);
  if (plan.writes > 0) {
    const time = formatTime(remainingTime(plan.writes, [], 0, ONE_WRITE));
    logInfo(`${pluralize(plan.writes, 'write')}, about ${time}`);
  }
  if (options['dry-run']) return 0;
  const isNeeded = plan.writes > 0 || plan.links.adopted.size > 0;
  if (!isNeeded) {
    if (isResumed) await log.add({ end: true });
    return plan.edited.length > 0 ? 1 : 0;
  }
  if (!options.yes && !(await confirm())) return 1;
  if (!isResumed) {
    await exportBefore(folder, plan, target);
    const items = [...target.side.items.keys()];
    const existing = Object.fromEntries(items.map((id) => [id, target.fingerprint(id)]));
    await log.add({ begin: { export: exportHash(exported), existing } });
  }
  const onWrite = progress(plan.writes, () => target.connection.clock.now());
  const result = await runRestore({ folder, plan, target, log, onWrite });
  printResult(plan, result);
  return result.edited.length + result.failed.length + plan.edited.length > 0 ? 1 : 0;
}

/** One log for each space that an export is written into. */
function logPath(folder: string, { source }: Target): string {
  const target = JSON.stringify([source.baseUrl, source.space]);
  return join(folder, `restore-${createHash('sha256').update(target).digest('hex').slice(0, 8)}.log`);
}

async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError('restore', 'pass --yes to write without asking');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Write this to the space? [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Exports what will be overwritten, so that it can be restored. */
async function exportBefore(folder: string, { updates }: Plan, target: Target): Promise<void> {
  if (updates.length === 0) return;
  const time = new Date(target.connection.clock.now()).toISOString().replaceAll(/[:.]/g, '-');
  const { content, source, connection } = target;
  const before = `${folder}-before-${time}`;
  const selection = { drafts: content.hasDrafts, media: true, models: null, langs: null };
  const mediaSource = { connection, assetsUrl: source.assetsUrl };
  const ids = new Set(updates.map(({ id }) => id));
  await writeExport({ folder: before, content, source, selection, mediaSource, ids });
  logInfo(`What will be overwritten is in ${before}: luid restore writes it back`);
}

/** Milliseconds that a write takes until it is known better. */
const ONE_WRITE = 300;
const LINE_EVERY = 30;

function progress(writes: number, now: () => number): () => void {
  const sent: number[] = [];
  return () => {
    sent.push(now());
    const left = Math.max(0, writes - sent.length);
    if (sent.length % LINE_EVERY !== 0 || left === 0) return;
    const time = formatTime(remainingTime(left, sent, now(), ONE_WRITE));
    logInfo(`${sent.length} of ${writes} writes, about ${time} left`);
  };
}
