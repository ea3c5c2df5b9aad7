import { lstatSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LuidConfigError } from '../../shared/errors.ts';
import { writeAtomically } from '../state/atomic-file.ts';
import { ensurePrivateFolder, findFolderProblem } from '../state/private-folder.ts';

/** The bytes of uploaded media by id: in a folder, or in memory without one. */
export class Uploads {
  readonly #folder: string | undefined;
  readonly #bytes = new Map<number, Uint8Array<ArrayBuffer>>();

  /** Throws if the folder exists and is not private. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
    if (folder !== undefined) checkFolder(folder);
  }

  async write(id: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#folder === undefined) {
      this.#bytes.set(id, bytes);
      return;
    }
    await ensurePrivateFolder(this.#folder);
    await writeAtomically(join(this.#folder, String(id)), bytes);
  }

  async read(id: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#folder === undefined) return this.#bytes.get(id);
    const bytes = await readFile(join(this.#folder, String(id))).catch(() => undefined);
    return bytes && new Uint8Array(bytes);
  }

  async remove(id: number): Promise<void> {
    this.#bytes.delete(id);
    if (this.#folder !== undefined) await rm(join(this.#folder, String(id)), { force: true });
  }
}

function checkFolder(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  const problem = stats && findFolderProblem(folder, stats);
  if (!problem) return;
  throw new LuidConfigError(`Uploads cannot be stored: ${problem.reason}`, { hint: problem.hint });
}
