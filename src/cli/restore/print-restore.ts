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

/** `40 s`, `12 min` */
export function formatTime(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
