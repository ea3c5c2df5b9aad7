import { LIMITS } from '../../contract/limits.ts';
import { pluralize } from '../../shared/format-count.ts';
import { printable } from '../../shared/printable.ts';
import type { BackupItem } from '../backup/backup-item.ts';
import { type Side, titleOf } from '../backup/side.ts';
import { logError, logInfo, logWarning } from '../shared/output.ts';
import type { Plan } from './plan-restore.ts';
import type { RunResult } from './run-restore.ts';

export function printPlan(
  { source, creates, updates, edited, unchanged, notes, uploads }: Plan,
  name: string,
): void {
  for (const item of creates) logInfo(`  create ${itemName(source, item)}`);
  for (const { item, id } of updates) logInfo(`  update ${itemName(source, item)}${toId(item, id)}`);
  for (const { lang, state, path, reason, id } of notes) {
    const item = source.items.get(id);
    const place = [lang, state === 'draft' && 'draft'].filter(Boolean).join(' ');
    const field = path === '' ? state : `${printable(path)} (${place})`;
    logWarning(`${item ? itemName(source, item) : id}: ${field}: ${printable(reason)}`);
  }
  printEdited(source, edited);
  const parts = [
    `${creates.length} to create`,
    `${updates.length} to update`,
    `${unchanged} left as they are`,
    pluralize(uploads, 'upload'),
  ];
  logInfo(`Restore into ${name}: ${parts.join(', ')}`);
}

export function printResult({ source }: Plan, { created, updated, edited, failed }: RunResult): void {
  printEdited(source, edited);
  for (const { item, reason } of failed) logError(`${itemName(source, item)}: ${reason}`);
  logInfo(
    `Restored: ${created} created, ${updated} updated, ${edited.length} skipped, ${failed.length} failed`,
  );
}

function printEdited(source: Side, edited: Plan['edited']): void {
  for (const { item, id } of edited) {
    logWarning(
      `${itemName(source, item)}${toId(item, id)} was edited since the plan was made, and is skipped`,
    );
  }
}

function itemName(source: Side, item: BackupItem): string {
  return `${printable(item.model)} ${item.id} ${printable(JSON.stringify(titleOf(source, item)), 80)}`;
}

function toId(item: BackupItem, id: number): string {
  return item.id === id ? '' : ` → ${id}`;
}

/** How long writes take: as many as the limit allows are sent at once, the others as the minutes pass (§8). */
export function timeFor(writes: number): string {
  const minutes = Math.floor((writes - 1) / LIMITS.writesPerMinute);
  return minutes === 0 ? 'less than a minute' : `about ${minutes} min`;
}
