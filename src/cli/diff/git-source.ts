import { statSync } from 'node:fs';
import { LuidError } from '../../shared/errors.ts';
import type { FileSource } from '../backup/files.ts';
import { runGit } from '../shared/run-git.ts';

/** The revision and the folder of an argument such as `HEAD~1:backup`; `undefined` if it is none. */
export function parseRevision(argument: string): { revision: string; folder: string } | undefined {
  const [, revision = '', folder = ''] = /^([^:]{2,}):(.*)$/s.exec(argument) ?? [];
  // Git reads names from lines.
  return revision && !/[\n\r\0]/.test(argument) ? { revision, folder: folder || '.' } : undefined;
}

/** The files of an export as they were in a revision of the repository that the current folder is in. */
export function gitSource(
  name: string,
  { revision, folder }: { revision: string; folder: string },
): FileSource {
  return {
    name,
    async *read(paths) {
      const root = folder.startsWith('/') ? undefined : folder.replace(/\/+$/, '');
      if (root === undefined || !isDirectory('.'))
        throw new LuidError(`${name}: the folder must be relative`);
      const names = paths.map((path) => `${revision}:./${root}/${path}`);
      const { status, stdout, stderr, isMissing } = runGit(
        '.',
        ['cat-file', '--batch'],
        `${names.join('\n')}\n`,
      );
      if (status !== 0 || isMissing) {
        throw new LuidError(`Cannot read ${name}: ${stderr.trim() || 'git was not found'}`, {
          hint: 'Run the command in the repository, and name the folder relative to the current one.',
        });
      }
      yield* parseBatch(stdout, paths);
    },
  };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** For each name either `ID blob SIZE`, the bytes and a line end, or a line that ends with `missing`. */
function* parseBatch(output: Buffer, paths: readonly string[]): Generator<readonly [string, Buffer]> {
  let at = 0;
  for (const path of paths) {
    const end = output.indexOf('\n', at);
    const [, size] = /^[\da-f]+ blob (\d+)$/.exec(output.toString('utf8', at, end)) ?? [];
    at = end + 1;
    if (size === undefined) continue;
    yield [path, output.subarray(at, at + Number(size))];
    at += Number(size) + 1;
  }
}
