import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { errorMessage, LuidError } from '../../shared/errors.ts';

/** The files of an export, from a folder or a git revision. */
export interface FileSource {
  /** For messages. */
  readonly name: string;
  /** The files that exist, in the order of the paths. */
  read(paths: readonly string[]): AsyncIterable<readonly [path: string, bytes: Buffer]>;
}

export function folderSource(folder: string): FileSource {
  return {
    name: folder,
    async *read(paths) {
      for (const path of paths) {
        const bytes = await readIfExists(join(folder, path));
        if (bytes) yield [path, bytes];
      }
    },
  };
}

export async function readIfExists(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error) => {
    if (['ENOENT', 'ENOTDIR'].includes(error.code)) return undefined;
    throw fileError('read', path, error);
  });
}

export async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}

/**
 * Replaces a file, so that a process that is killed leaves the old or the new one. `durable`: a machine that crashes,
 * too. Files of items need no such care: their hashes are in the manifest.
 */
export async function writeFileAtomically(
  path: string,
  content: string | AsyncIterable<Uint8Array>,
  { durable = false } = {},
): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(temporaryName(path), 'w');
    try {
      await file.writeFile(content);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporaryName(path), path);
  } catch (error) {
    await rm(temporaryName(path), { force: true }).catch(() => {});
    throw fileError('write', path, error);
  }
}

/** The file that a killed process may have left. */
export function temporaryName(path: string): string {
  return `${path}.tmp`;
}

/** Removes a file, and the folders above it that are empty then. */
export async function removeFile(folder: string, path: string): Promise<void> {
  await rm(join(folder, path), { force: true }).catch((error) => {
    throw fileError('remove', join(folder, path), error);
  });
  for (let parent = dirname(join(folder, path)); relative(folder, parent) !== ''; parent = dirname(parent)) {
    const isRemoved = await rmdir(parent).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

/** Of text: git may have changed its line ends. */
export function sha256OfText(content: Buffer | string): string {
  const text = String(content).replaceAll('\r\n', '\n');
  return createHash('sha256').update(text).digest('hex');
}

const HINTS: { readonly [code: string]: string } = {
  ENOSPC: 'The disk is full. Free some space and run the command again: it continues where it stopped.',
  EACCES: 'This user may not do that. Check the owner of the folder and its mode.',
  EROFS: 'The disk is read-only. Choose another folder.',
};

function fileError(verb: string, path: string, error: unknown): LuidError {
  // Thrown by what produced the content.
  const { code } = error as NodeJS.ErrnoException;
  if (LuidError.is(error) || typeof code !== 'string') return error as LuidError;
  const hint = HINTS[code];
  return new LuidError(`Cannot ${verb} ${path}: ${errorMessage(error)}`, { hint, cause: error });
}
