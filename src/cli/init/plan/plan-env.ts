import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { formatEnvValue, setEnvVariables } from '../env/env-file.ts';
import { addIgnoreLine, type GitState } from '../env/git.ts';
import { readEnvFile, spaceVariables } from '../env/space-variables.ts';
import { readTextFile } from '../read-text-file.ts';
import { SITE_GITIGNORE } from '../site/site-files.ts';
import type { PlanContext } from './plan-context.ts';
import { type PlannedFile, planAddition } from './planned-file.ts';

/** Plans `.env`, with the URLs and the key. */
export function planEnv({
  project: { folder },
  inferred: { assetsUrl },
  credentials,
  environment,
  warnings,
}: PlanContext): PlannedFile {
  const path = '.env';
  const before = readTextFile(join(folder, path));
  const hasAssetsUrl = assetsUrl !== undefined && formatEnvValue(assetsUrl) !== undefined;
  if (assetsUrl !== undefined && !hasAssetsUrl) {
    warnings.push(
      'LUID_ASSETS_URL was not written: the URL of the media has characters that .env files cannot contain.',
    );
  }
  const local = readEnvFile(join(folder, '.env.local'));
  const known = { ...parseEnv(before ?? ''), ...local };
  const wanted = spaceVariables(credentials, hasAssetsUrl ? assetsUrl : undefined, {
    ...environment,
    ...known,
  });
  // A line such as LUID_BASE_URL=${CMS}/v1 stays if that is its value.
  const isExpanded = (name: string, value: string) =>
    known[name]?.includes('$') && process.env[name] === undefined && environment[name] === value;
  const missing = Object.entries(wanted).filter(
    ([name, value]) => local[name] !== value && !isExpanded(name, value),
  );
  const { text, added, replaced } = setEnvVariables(before ?? '', Object.fromEntries(missing));
  const file = { ...planAddition(path, before ?? '', text, added.join(', ') || undefined), before };
  if (file.state === 'same') return { ...file, secret: true };
  if (before === undefined) return { ...file, state: 'new', secret: true };
  if (replaced.length === 0) return { ...file, secret: true };
  const about = `${replaced.join(', ')} would get a different value`;
  return { ...file, state: 'different', about, secret: true };
}

/** Plans the lines that `.gitignore` lacks; `undefined` if it lacks none. */
export function planIgnore({ project, envInGit }: PlanContext): PlannedFile | undefined {
  const path = '.gitignore';
  const before = readTextFile(join(project.folder, path));
  if (project.isNew && before === undefined) {
    return { path, text: SITE_GITIGNORE.map((line) => `${line}\n`).join(''), before, state: 'new' };
  }
  const present = new Set((before ?? '').split(/\r?\n/).map(plainPattern));
  const lines = project.isNew ? SITE_GITIGNORE.filter((line) => !present.has(plainPattern(line))) : [];
  const others = lines.filter((line) => line !== '.env');
  // The last matching line of a .gitignore wins, so this one comes last.
  const isNamed = ['.env', '.env*', '*.env'].some((pattern) => present.has(pattern));
  // Without a repository too: there may be one later.
  const needsEnv = envInGit === 'not ignored' || (UNASKED.has(envInGit) && !isNamed);
  const needed = [...others, ...(needsEnv || lines.includes('.env') ? ['.env'] : [])];
  if (needed.length === 0) return undefined;
  const text = needed.reduce(addIgnoreLine, before ?? '');
  const about = needed.includes('.env') ? '.env, which contains the API key' : needed.join(', ');
  return { path, text, before, about, state: before === undefined ? 'new' : 'added to' };
}

/** What git ignores is not known, or nothing yet. */
const UNASKED: ReadonlySet<GitState> = new Set(['unknown', 'no repository']);

function plainPattern(line: string): string {
  return line.trim().replace(/^\/|\/$/g, '');
}
