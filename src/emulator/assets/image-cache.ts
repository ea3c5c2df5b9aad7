import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAtomically } from '../state/atomic-file.ts';
import { ensurePrivateFolder } from '../state/private-folder.ts';

/** A file is named by the hash of its original and request, with an extension while it is being written. */
const CACHE_FILE = /^[\da-f]{64}(\.[\da-f-]{36}\.tmp)?$/;
const MAX_BYTES = 200_000_000;
const MAX_AGE = 30 * 24 * 60 * 60 * 1000;
/** An older temporary file was left by a killed process. */
const MAX_WRITE_TIME = 60 * 60 * 1000;
/** Bytes written between two prunings. */
const PRUNE_INTERVAL = MAX_BYTES / 10;

/** Resized images in a folder, across restarts. A folder that other users can change is not used. */
export class ImageCache {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  #isPrivate: Promise<boolean> | undefined;
  #written = PRUNE_INTERVAL;

  constructor(folder: string | undefined, onError: (error: unknown) => void) {
    // Not `userInfo()`: it throws for a user id without a name, as with `docker run --user 12345`.
    this.#folder = folder ?? join(tmpdir(), `astro-luid-assets-${process.getuid?.() ?? 'user'}`);
    this.#onError = onError;
  }

  async read(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (!(await this.#checkFolder())) return undefined;
    const bytes = await readFile(join(this.#folder, hash)).catch(() => undefined);
    return bytes?.length ? new Uint8Array(bytes) : undefined;
  }

  async write(hash: string, bytes: Uint8Array): Promise<void> {
    if (!(await this.#checkFolder())) return;
    try {
      await writeAtomically(join(this.#folder, hash), bytes);
      this.#written += bytes.length;
      if (this.#written >= PRUNE_INTERVAL) await this.#prune();
    } catch {
      // A failed cache write must not fail the response.
    }
  }

  #checkFolder(): Promise<boolean> {
    this.#isPrivate ??= ensurePrivateFolder(this.#folder).then(
      () => true,
      (error: Error) => {
        this.#onError(new Error(`Resized images are not cached: ${error.message}`));
        return false;
      },
    );
    return this.#isPrivate;
  }

  /** Removes files that are too old, then the oldest ones until the size limit is met. */
  async #prune(): Promise<void> {
    this.#written = 0;
    const now = Date.now();
    const files = [];
    for (const name of await readdir(this.#folder)) {
      if (!CACHE_FILE.test(name)) continue;
      const path = join(this.#folder, name);
      const stats = await stat(path).catch(() => undefined);
      if (!stats) continue;
      const age = now - stats.mtimeMs;
      if (age > (name.endsWith('.tmp') ? MAX_WRITE_TIME : MAX_AGE)) await rm(path, { force: true });
      else files.push({ path, age, size: stats.size });
    }
    files.sort((a, b) => a.age - b.age);
    let total = 0;
    for (const { path, size } of files) {
      total += size;
      if (total > MAX_BYTES) await rm(path, { force: true });
    }
  }
}
