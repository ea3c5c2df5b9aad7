import {
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { errorMessage, LuidError } from '../../shared/errors.ts';

/** A copy of a site in a temporary folder, with the folders that its builds write to. */
export interface SiteCopy {
  /** The copy of the project's folder. */
  readonly root: string;
  /** Where the loaders and the audit exchange files. */
  readonly exchange: string;
  readonly outDir: string;
  /** Astro's `cacheDir`. */
  readonly cacheDir: string;
  /** The `cacheDir` after the build that incremental builds start from. */
  readonly savedCacheDir: string;
  /** Synchronous, so that it can run while the process exits. */
  remove(): void;
}

/** At the top of a project: what builds make, and what is linked instead. */
const NOT_COPIED = new Set(['node_modules', '.git', '.astro', 'dist']);
/** In `node_modules`: what builds write to. */
const NOT_LINKED = new Set(['.astro', '.vite', '.cache']);

/**
 * Copies the files of a project and links its packages. Around the copy are links to what is around the project, so that
 * relative paths and packages of a workspace resolve as they do there. Nothing is written to the project.
 */
export function copySite(project: string): SiteCopy {
  return inCopy(() => createCopy(realpathSync(project)));
}

/** Runs work on the files of a copy. If it fails, as with a full disk, that is no finding about the site. */
export function inCopy<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new LuidError(`Cannot copy the site: ${errorMessage(cause)}`, {
      hint: `The copy needs a writable folder with enough space: set ${process.platform === 'win32' ? 'TEMP' : 'TMPDIR'} to use another one.`,
      cause,
    });
  }
}

function createCopy(project: string): SiteCopy {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'luid-audit-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const root = linkSurroundings(project, join(folder, 'site'));
    copyFiles(project, root);
    linkPackages(join(project, 'node_modules'), join(root, 'node_modules'));
    const exchange = join(folder, 'exchange');
    mkdirSync(exchange);
    // What the site has synced already need not be requested again.
    const synced = join(project, 'node_modules/.astro/astro-luid');
    if (existsSync(synced)) cpSync(synced, join(exchange, 'cache'), { recursive: true });
    // Inside of the copy, from where a built server finds its packages.
    const [outDir, cacheDir] = [join(root, 'dist'), join(root, 'node_modules/.astro')];
    const savedCacheDir = join(folder, 'saved-cache');
    return { root, exchange, outDir, cacheDir, savedCacheDir, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Creates the folders from the workspace down to the project, with links to everything beside them. */
function linkSurroundings(project: string, target: string): string {
  const top = workspaceOf(project);
  let [original, copy] = [top, target];
  mkdirSync(copy);
  for (const name of relative(top, project).split(sep).filter(Boolean)) {
    for (const entry of readdirSync(original)) {
      if (entry !== name && entry !== '.git') link(join(original, entry), join(copy, entry));
    }
    [original, copy] = [join(original, name), join(copy, name)];
    mkdirSync(copy);
  }
  return copy;
}

/** The outermost folder around a project that packages can be resolved from; the project itself if there is none. */
function workspaceOf(project: string): string {
  let top = project;
  for (let folder = dirname(project); folder !== dirname(folder); folder = dirname(folder)) {
    if (['package.json', 'node_modules'].some((name) => existsSync(join(folder, name)))) top = folder;
  }
  return top;
}

function copyFiles(project: string, root: string): void {
  for (const name of readdirSync(project)) {
    if (NOT_COPIED.has(name)) continue;
    cpSync(join(project, name), join(root, name), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      // Sockets and pipes cannot be copied, and are not part of a site.
      filter: isCopied,
    });
  }
}

function isCopied(path: string): boolean {
  const file = lstatSync(path);
  return file.isFile() || file.isDirectory() || file.isSymbolicLink();
}

function linkPackages(packages: string, links: string): void {
  mkdirSync(links);
  if (!existsSync(packages)) return;
  for (const name of readdirSync(packages)) {
    if (!NOT_LINKED.has(name)) link(join(packages, name), join(links, name));
  }
}

/** On Windows, everyone may link a folder (as a junction), but not a file. */
function link(target: string, path: string): void {
  const isFile = statSync(target, { throwIfNoEntry: false })?.isFile();
  if (process.platform === 'win32' && isFile) copyFileSync(target, path, constants.COPYFILE_FICLONE);
  else symlinkSync(target, path, 'junction');
}
