import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { LuidConfigError } from '../../errors.ts';
import { SPACE_FILES } from '../../space/space-file.ts';
import { ASTRO_CONFIGS, srcDirOf } from './astro-config.ts';
import { CONTENT_CONFIGS, LEGACY_CONTENT_CONFIGS } from './content-config.ts';
import { UnusualSyntax } from './source/parse-source.ts';

/** A folder as `init` finds it. All paths are relative to it. */
export interface ProjectFolder {
  /** It holds no code: a whole site is written. */
  readonly isNew: boolean;
  /** What makes it a folder that is not new. */
  readonly others: readonly string[];
  readonly srcDir: string;
  readonly packageJson: string | undefined;
  readonly astroConfig: string | undefined;
  readonly contentConfig: string | undefined;
  /** One of the place before Astro 5, where no other exists. */
  readonly legacyContentConfig: string | undefined;
  readonly spaceFile: string | undefined;
  readonly packageManager: 'npm' | 'pnpm' | 'yarn' | 'bun';
}

/** What may be in a folder without making it a project: of package managers, editors, git and the like. */
const BESIDE_A_PROJECT =
  /^(\..*|node_modules|package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-(lock|workspace)\.yaml|yarn\.lock|bun\.lockb?|.*\.(log|tgz)|(README|LICEN[CS]E|NOTICE|CHANGELOG|CONTRIBUTING|SECURITY|CODE_OF_CONDUCT)([.-].*)?)$/i;

const LOCK_FILES = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
} as const;

export function inspectFolder(folder: string, givenSrcDir: string | undefined): ProjectFolder {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const others = names.filter((name) => !BESIDE_A_PROJECT.test(name) && !isEmptyFolder(join(folder, name)));
  const has = (path: string) => existsSync(join(folder, path));
  const astroConfig = ASTRO_CONFIGS.find(has);
  const srcDir = plainFolder(givenSrcDir ?? findSrcDir(folder, astroConfig));
  const within = (list: readonly string[]) => list.map((name) => posix.join(srcDir, name)).find(has);
  const contentConfig = within(CONTENT_CONFIGS);
  const lock = Object.entries(LOCK_FILES).find(([name]) => names.includes(name));
  return {
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

/** Whether a folder holds no file, however deep. */
function isEmptyFolder(path: string): boolean {
  if (!statSync(path).isDirectory()) return false;
  return readdirSync(path).every((name) => isEmptyFolder(join(path, name)));
}

function findSrcDir(folder: string, astroConfig: string | undefined): string {
  if (astroConfig === undefined) return 'src';
  const text = readFileSync(join(folder, astroConfig), 'utf8');
  try {
    return srcDirOf(text) ?? 'src';
  } catch (cause) {
    if (!(cause instanceof UnusualSyntax)) throw cause;
    // Without a word of it there, it is the default.
    if (!text.includes('srcDir')) return 'src';
    throw new LuidConfigError(`The srcDir of ${astroConfig} cannot be read: ${cause.message}`, {
      hint: 'Pass it as --src-dir DIR.',
    });
  }
}

/** Whether a folder is one of the project, which is where Astro's config can import a space from. */
export function isInside(path: string): boolean {
  return !/^(\/|[a-z]+:|\.\.(\/|$))/i.test(plainFolder(path));
}

/** With slashes on every system, as in imports. Astro reads `srcDir` as a URL, where a backslash is one, too. */
function plainFolder(path: string): string {
  return posix.normalize(path.replaceAll('\\', '/')).replace(/^\.\/|\/+$/g, '') || '.';
}
