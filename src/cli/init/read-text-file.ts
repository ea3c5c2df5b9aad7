import { existsSync, readFileSync } from 'node:fs';
import { LuidConfigError } from '../../shared/errors.ts';

/**
 * The text of a file, with its byte order mark; `undefined` if there is none. Throws if the file cannot be read, or is
 * not UTF-8: written back, it would lose the characters that cannot be decoded.
 */
export function readTextFile(path: string): string | undefined {
  const bytes = readBytes(path);
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new LuidConfigError(`${path} is not UTF-8`, {
      hint: 'Save it as UTF-8, then run this command again. Nothing was changed.',
      cause,
    });
  }
}

function readBytes(path: string): Buffer | undefined {
  try {
    return existsSync(path) ? readFileSync(path) : undefined;
  } catch (cause) {
    throw new LuidConfigError(`Cannot read ${path}: ${(cause as Error).message}`, {
      hint: 'Pass another folder as --dir DIR, or make this one readable.',
      cause,
    });
  }
}
