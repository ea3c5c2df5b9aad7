import { join } from 'node:path';
import { printChange } from '../print/print-findings.ts';
import { type Prompts, pathForNewCopy } from '../prompts.ts';
import { readTextFile } from '../read-text-file.ts';
import type { ManualChange, PlannedFile } from './planned-file.ts';

/** What was decided about the planned files. */
export interface Decisions {
  readonly files: PlannedFile[];
  /** Files that differ and are kept. */
  readonly kept: string[];
  readonly manual: ManualChange[];
  /** A file was extended but still differs. */
  isPartial: boolean;
}

/** Decides what to do with each existing file that would change. */
export async function resolveConflicts(
  folder: string,
  planned: readonly PlannedFile[],
  prompts: Prompts,
  decisions: Decisions,
): Promise<void> {
  const { files, kept, manual } = decisions;
  for (const file of planned) {
    const { path, state, update } = file;
    if (state === 'new') files.push(file);
    if (state === 'manual' && file.manual) manual.push(file.manual);
    if (state === 'added to') {
      if (file.manual) printChange(file);
      if (!file.manual || (await prompts.edit(file))) files.push(file);
      else manual.push(file.manual);
    }
    if (state !== 'different') continue;
    printChange(file);
    const choice = await prompts.replace(file);
    if (choice === 'keep') kept.push(path);
    if (choice === 'replace') files.push(file);
    if (choice === 'copy') {
      const copy = pathForNewCopy(path);
      files.push({ ...file, path: copy, before: readTextFile(join(folder, copy)) });
    }
    if (choice === 'add') {
      files.push({ ...file, text: update?.text ?? file.text });
      decisions.isPartial ||= update?.differences.some(({ kind }) => kind !== 'added') ?? false;
    }
  }
}
