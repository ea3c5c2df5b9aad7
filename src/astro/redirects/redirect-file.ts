import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { errorMessage, LuidConfigError } from '../../shared/errors.ts';
import { isSitePath } from '../preview/preview-paths.ts';
import type { RedirectRecord } from './redirect-record.ts';

/** In the project, to be committed, and in Astro's cache. */
export const REDIRECT_FILE = 'luid-redirects.json';

// Each becomes a route of Astro, in which brackets are parameters, and the target of a redirect.
const path = z
  .string()
  .refine((text) => isSitePath(text) && !/[?#%[\]]/.test(text), 'not a path of the site');
const RECORD = z.strictObject({
  routes: z.record(
    z.string(),
    z.strictObject({
      paths: z.record(z.string(), path),
      former: z.record(path, z.strictObject({ entry: z.string(), since: z.iso.date() })),
    }),
  ),
});

/** The committed record, and that of the last build with this cache. */
export function readRecords(root: string, cacheDir: string): RedirectRecord[] {
  const committed = readRecord(join(root, REDIRECT_FILE));
  try {
    return [...committed, ...readRecord(join(cacheDir, REDIRECT_FILE))];
  } catch {
    // A damaged cache starts anew.
    return committed;
  }
}

/** Empty if there is none. */
function readRecord(file: string): RedirectRecord[] {
  try {
    return [RECORD.parse(JSON.parse(readFileSync(file, 'utf8')))];
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    const [issue] = cause instanceof z.ZodError ? cause.issues : [];
    const problem = issue ? `${issue.path.join('.')}: ${issue.message}` : errorMessage(cause);
    throw new LuidConfigError(`${file} is not a record of redirects: ${problem}`, {
      hint: 'Restore it from git. Without it, former URLs that only it knows are not redirected.',
      cause,
    });
  }
}

/** Returns whether the file is another than before. It is replaced as a whole. */
export function writeRecord(folder: string, record: RedirectRecord): boolean {
  const file = join(folder, REDIRECT_FILE);
  const text = `${JSON.stringify(record, null, 2)}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.${process.pid}.partial`, text);
  renameSync(`${file}.${process.pid}.partial`, file);
  return true;
}
