import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { LuidConfigError } from '../../errors.ts';
import type { Inferred } from '../infer/infer.ts';
import type { Survey } from '../survey/survey.ts';
import { withVariables } from './env-file.ts';
import { withEnvIgnored, wouldCommitEnv } from './git-ignore.ts';
import { contentConfig, siteFiles } from './site-files.ts';
import { type SpaceSettings, spaceFile } from './space-file.ts';
import type { FileToWrite } from './write-files.ts';

/** A file as it would be written, and how that compares to what is there. */
export interface PlannedFile extends FileToWrite {
  /** `added to`: it gains lines and loses none. */
  readonly state: 'new' | 'same' | 'added to' | 'different';
  /** What is there now. */
  readonly before?: string | undefined;
  /** What would change, where the text itself must not be shown. */
  readonly about?: string | undefined;
}

export interface Access extends SpaceSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface Plan {
  readonly files: readonly PlannedFile[];
  /** The folder held no project, and gets a whole site. */
  readonly isNewSite: boolean;
}

export function planFiles(folder: string, survey: Survey, inferred: Inferred, access: Access): Plan {
  const isNewSite = isEmptyFolder(folder);
  const texts: Record<string, string> = {
    'src/space.ts': spaceFile(inferred, survey, access),
    'src/content.config.ts': contentConfig(inferred),
    ...(isNewSite && siteFiles(inferred, survey, { name: basename(folder), versions: versions() })),
  };
  // Its own lines in a file that is there already are the user's business.
  if (existsSync(join(folder, '.gitignore'))) delete texts['.gitignore'];
  const files = Object.entries(texts).map(([path, text]) => compared(folder, path, text));
  const env = plannedEnv(folder, inferred, access);
  const ignore = texts['.gitignore'] === undefined ? plannedIgnore(folder) : [];
  return { files: [...files, env, ...ignore], isNewSite };
}

/** Nothing in it but what may stand beside any project. */
function isEmptyFolder(folder: string): boolean {
  if (!existsSync(folder)) return true;
  return readdirSync(folder).every((name) => /^(\.|README|LICENSE|node_modules$)/i.test(name));
}

function compared(folder: string, path: string, text: string): PlannedFile {
  const before = read(join(folder, path));
  const state = before === undefined ? 'new' : before === text ? 'same' : 'different';
  return { path, text, before, state };
}

function plannedEnv(folder: string, { assetsUrl }: Inferred, { baseUrl, apiKey }: Access): PlannedFile {
  const path = '.env';
  const before = read(join(folder, path));
  const { text, added, replaced } = withVariables(before ?? '', {
    LUID_BASE_URL: baseUrl,
    ...(assetsUrl !== undefined && { LUID_ASSETS_URL: assetsUrl }),
    LUID_API_KEY: apiKey,
  });
  const state =
    before === undefined ? 'new' : replaced.length > 0 ? 'different' : added.length > 0 ? 'added to' : 'same';
  const about =
    replaced.length > 0 ? `${replaced.join(', ')} would get another value` : added.join(', ') || undefined;
  return { path, text, before, state, about, secret: true };
}

function plannedIgnore(folder: string): PlannedFile[] {
  if (!wouldCommitEnv(folder)) return [];
  const before = read(join(folder, '.gitignore'));
  const state = before === undefined ? 'new' : 'added to';
  const about = '.env, which holds the key';
  return [{ path: '.gitignore', text: withEnvIgnored(before ?? ''), before, state, about }];
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ENOENT') return undefined;
    throw new LuidConfigError(`${path} cannot be read: ${(cause as Error).message}`, {
      hint: 'Choose another folder by --dir DIR, or make this one readable.',
      cause,
    });
  }
}

/** A version of Astro that this one was tested with, and this version. */
function versions() {
  const { version } = createRequire(import.meta.url)('astro-luid/package.json') as { version: string };
  return { luid: `^${version}`, astro: '^7.3.4' };
}
