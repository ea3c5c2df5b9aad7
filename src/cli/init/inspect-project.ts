import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { LuidConfigError } from '../../shared/errors.ts';
import { SPACE_FILES } from '../../space/space-file.ts';
import { ASTRO_CONFIGS, srcDirOf } from './edit/astro-config.ts';
import { CONTENT_CONFIGS, LEGACY_CONTENT_CONFIGS } from './edit/content-config.ts';
import { UnsupportedSyntaxError } from './edit/parse-source.ts';

/** The folder in which `init` runs. All other paths are relative to it. */
export interface ProjectFolder {
  readonly folder: string;
  /** It contains no code, so a complete site is created. */
  readonly isNew: boolean;
  /** The files because of which it is not new. */
  readonly others: readonly string[];
  readonly srcDir: string;
  readonly packageJson: string | undefined;
  readonly astroConfig: string | undefined;
  readonly contentConfig: string | undefined;
  /** A config at the location used before Astro 5, if there is no other. */
  readonly legacyContentConfig: string | undefined;
  readonly spaceFile: string | undefined;
  readonly packageManager: 'npm' | 'pnpm' | 'yarn' | 'bun';
}

/** Files of package managers, editors, git and the like, which do not make a folder a project. */
const NON_PROJECT_FILES =
  /^(\..*|node_modules|package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-(lock|workspace)\.yaml|yarn\.lock|bun\.lockb?|.*\.(log|tgz)|(README|LICEN[CS]E|NOTICE|CHANGELOG|CONTRIBUTING|SECURITY|CODE_OF_CONDUCT)([.-].*)?)$/i;

const LOCK_FILES = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
} as const;

export function inspectProject(folder: string, givenSrcDir: string | undefined): ProjectFolder {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const others = names.filter((name) => !NON_PROJECT_FILES.test(name) && !isEmptyFolder(join(folder, name)));
  const has = (path: string) => existsSync(join(folder, path));
  const astroConfig = ASTRO_CONFIGS.find(has);
  const srcDir = normalizeFolder(givenSrcDir ?? findSrcDir(folder, astroConfig));
  const within = (list: readonly string[]) => list.map((name) => posix.join(srcDir, name)).find(has);
  const contentConfig = within(CONTENT_CONFIGS);
  const lock = Object.entries(LOCK_FILES).find(([name]) => names.includes(name));
  return {
    folder,
    isNew: others.length === 0,
    others,
    srcDir,
    packageJson: has('package.json') ? 'package.json' : undefined,
    astroConfig,
    contentConfig,
    legacyContentConfig: contentConfig === undefined ? within(LEGACY_CONTENT_CONFIGS) : undefined,
    spaceFile: within(SPACE_FILES),
    packageManager: lock?.[1] ?? 'npm',
  };
}

/** Whether a folder contains no file at any depth. Links, and what cannot be read, count as files. */
function isEmptyFolder(path: string): boolean {
  try {
    if (!lstatSync(path).isDirectory()) return false;
    return readdirSync(path).every((name) => isEmptyFolder(join(path, name)));
  } catch {
    return false;
  }
}

function findSrcDir(folder: string, astroConfig: string | undefined): string {
  if (astroConfig === undefined) return 'src';
  const text = readFileSync(join(folder, astroConfig), 'utf8');
  try {
    return srcDirOf(text) ?? 'src';
  } catch (cause) {
    if (!(cause instanceof UnsupportedSyntaxError)) throw cause;
    // The config does not set it.
    if (!text.includes('srcDir')) return 'src';
    throw new LuidConfigError(`Cannot read srcDir in ${astroConfig}: ${cause.message}`, {
      hint: 'Pass it as --src-dir DIR.',
    });
  }
}

/** Whether a folder is inside the project, so that Astro's config can import a space from it. */
export function isInside(path: string): boolean {
  return !/^(\/|[a-z]+:|\.\.(\/|$))/i.test(normalizeFolder(path));
}

/** Normalizes to forward slashes, as in imports. Astro reads `srcDir` as a URL, where backslashes are slashes too. */
function normalizeFolder(path: string): string {
  return posix.normalize(path.replaceAll('\\', '/')).replace(/^\.\/|\/+$/g, '') || '.';
}
