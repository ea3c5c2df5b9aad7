import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAtomically } from '../state/atomic-file.ts';
import { ensureOwnFolder } from '../state/own-folder.ts';

/** Files are named by the hash of what they hold the result of; until they are complete, with an ending. */
const OURS = /^[\da-f]{64}(\.[\da-f-]{36}\.tmp)?$/;
const MOST_BYTES = 200_000_000;
const LONGEST_AGE = 30 * 24 * 60 * 60 * 1000;
/** No image takes this long: whoever wrote it was killed. */
const LONGEST_WRITE = 60 * 60 * 1000;
/** Bytes that are written before the folder is looked through again. */
const PRUNE_EVERY = MOST_BYTES / 10;

/** Results of image work, kept in a folder across restarts. A folder that cannot be trusted is not used. */
export class PictureCache {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  #trusted: Promise<boolean> | undefined;
  #written = PRUNE_EVERY;

  constructor(folder: string | undefined, onError: (error: unknown) => void) {
    // Not `userInfo()`: it throws for a user id that has no name, as `docker run --user 12345` gives it.
    this.#folder = folder ?? join(tmpdir(), `astro-luid-assets-${process.getuid?.() ?? 'user'}`);
    this.#onError = onError;
  }

  async read(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (!(await this.#isTrusted())) return undefined;
    const kept = await readFile(join(this.#folder, hash)).catch(() => undefined);
    return kept?.length ? new Uint8Array(kept) : undefined;
  }

  async write(hash: string, bytes: Uint8Array): Promise<void> {
    if (!(await this.#isTrusted())) return;
    try {
      await writeAtomically(join(this.#folder, hash), bytes);
      this.#written += bytes.length;
      if (this.#written >= PRUNE_EVERY) await this.#prune();
    } catch {
      // A cache that cannot be written costs time, not the response.
    }
  }

  #isTrusted(): Promise<boolean> {
    this.#trusted ??= ensureOwnFolder(this.#folder).then(
      () => true,
      (error: Error) => {
        this.#onError(new Error(`Resized images are not cached: ${error.message}`));
        return false;
      },
    );
    return this.#trusted;
  }

  /** Removes what is too old, then the oldest until the rest is small enough. */
  async #prune(): Promise<void> {
    this.#written = 0;
    const now = Date.now();
    const files = [];
    for (const name of await readdir(this.#folder)) {
      if (!OURS.test(name)) continue;
      const path = join(this.#folder, name);
      const stats = await stat(path).catch(() => undefined);
      if (!stats) continue;
      const age = now - stats.mtimeMs;
      if (age > (name.endsWith('.tmp') ? LONGEST_WRITE : LONGEST_AGE)) await rm(path, { force: true });
      else files.push({ path, age, size: stats.size });
    }
    files.sort((a, b) => a.age - b.age);
    let total = 0;
    for (const { path, size } of files) {
      total += size;
      if (total > MOST_BYTES) await rm(path, { force: true });
    }
  }
}
