import { createRequire } from 'node:module';
import { basename, join, posix } from 'node:path';
import { parseEnv } from 'node:util';
import { printable } from '../../printable.ts';
import type { Environment } from '../../space/env-files.ts';
import type { Inferred } from '../infer/infer.ts';
import type { Survey } from '../survey/survey.ts';
import { addIntegration } from './astro-config.ts';
import { type Collection, collectionCode } from './collections.ts';
import type { Credentials } from './connect.ts';
import { addCollections, contentConfig } from './content-config.ts';
import { setEnvVariables } from './env-file.ts';
import { readEnvFile } from './env-overrides.ts';
import { formatEnvValue } from './env-value.ts';
import { generateSpaceFile, type SpaceSettings } from './generate-space-file.ts';
import { addIgnoreLine, type GitState } from './git.ts';
import type { ProjectFolder } from './inspect-project.ts';
import { addDependencies, hasDependency, newPackageJson } from './package-json.ts';
import type { ManualChange, PlannedFile } from './planned-file.ts';
import { readTextFile } from './read-text-file.ts';
import {
  createSiteFiles,
  newAstroConfig,
  SITE_DEV_DEPENDENCIES,
  SITE_GITIGNORE,
  SITE_SCRIPTS,
  type SpaceExport,
} from './site/site-files.ts';
import { UnsupportedSyntaxError } from './source/parse-source.ts';
import { updateSpace } from './space-update.ts';
import { checkContentConfig, checkSpaceFile } from './verify-generated.ts';

/** Plans the space file. It comes first: the other files depend on what it declares. */
export function planSpaceFile(
  folder: string,
  { spaceFile: existing, srcDir }: ProjectFolder,
  survey: Survey,
  inferred: Inferred,
  settings: SpaceSettings,
): PlannedFile {
  const path = existing ?? posix.join(srcDir, 'space.ts');
  const text = generateSpaceFile(inferred, survey, settings);
  checkSpaceFile(text, inferred.models);
  const file = compareWithDisk(folder, path, text);
  if (file.state !== 'different') return file;
  try {
    const update = updateSpace(file.before ?? '', inferred, survey);
    return { ...file, update, state: update.differences.length > 0 ? 'different' : 'same' };
  } catch (error) {
    if (error instanceof UnsupportedSyntaxError) return file;
    throw error;
  }
}

/** The space file, relative to the project, and the export name of the space if it is known. */
interface PlannedSpace {
  readonly path: string;
  readonly name: string | undefined;
}

export interface PlanContext {
  readonly folder: string;
  readonly project: ProjectFolder;
  readonly survey: Survey;
  readonly inferred: Inferred;
  /** The collections whose models the resulting space file declares. */
  readonly collections: readonly Collection[];
  readonly space: PlannedSpace;
  readonly credentials: Credentials;
  /** The environment with the project's `.env` files. */
  readonly environment: Environment;
  readonly envInGit: GitState;
}

export interface Plan {
  readonly files: readonly PlannedFile[];
  readonly manual: readonly ManualChange[];
  readonly warnings: readonly string[];
}

/** Plans all files but the space file. */
export function planFiles(context: PlanContext): Plan {
  const { folder, project, inferred, survey, collections, space } = context;
  const warnings: string[] = [];
  const code = [planContentConfig(context, warnings), planAstroConfig(context, warnings)].filter(
    (one) => one !== undefined,
  );
  const place = { name: basename(folder), srcDir: project.srcDir };
  const site =
    project.isNew && hasName(space)
      ? createSiteFiles(inferred, survey, collections, { ...place, space })
      : {};
  const files = [
    ...code.filter((one) => 'state' in one),
    ...Object.entries(site).map(([path, text]) => compareWithDisk(folder, path, text)),
    ...planPackageJson(context),
    planEnv(context, warnings),
    ...planIgnore(context),
  ];
  return { files, manual: code.filter((one) => 'why' in one), warnings };
}

function planContentConfig(
  { folder, project, collections, space }: PlanContext,
  warnings: string[],
): PlannedFile | ManualChange | undefined {
  if (collections.length === 0 || !hasName(space)) {
    warnings.push(`No collections were added: ${space.path} cannot be analysed without running it.`);
    return undefined;
  }
  const { contentConfig: existing, legacyContentConfig: legacy, srcDir } = project;
  const imported = { name: space.name, from: `./${posix.relative(srcDir, space.path)}` };
  if (existing === undefined && legacy === undefined) {
    const text = contentConfig(collections, imported);
    checkContentConfig(text, collections);
    return compareWithDisk(folder, posix.join(srcDir, 'content.config.ts'), text);
  }
  const names = { define: 'defineCollection', space: space.name };
  const lines = [
    "import { defineCollection } from 'astro:content';",
    `import { ${space.name} } from '${legacy === undefined ? imported.from : `.${imported.from}`}';`,
    '',
    '// in `export const collections = { … }`:',
    ...collections.map((one) => `  ${collectionCode(one.model, one, names)},`),
  ];
  if (existing === undefined) {
    const why = `Astro 6 and later read ${posix.join(srcDir, 'content.config.ts')}: move the file there, then run this command again, or add`;
    return { path: legacy ?? '', why, lines };
  }
  return planEdit(folder, existing, lines, (before) => addCollections(before, collections, imported));
}

function planAstroConfig(
  { folder, project, space }: PlanContext,
  warnings: string[],
): PlannedFile | ManualChange | undefined {
  const { astroConfig: existing, isNew, others, packageJson, srcDir } = project;
  const imported = { name: space.name, from: `./${space.path}` };
  const name = space.name ?? 'space';
  const lines = [
    "import luid from 'astro-luid/integration';",
    `import { ${name} } from '${imported.from}';${hasName(space) ? '' : ' // or the name of your export'}`,
    '',
    '// in the configuration:',
    `  integrations: [luid(${name})],`,
  ];
  if (existing !== undefined) {
    return planEdit(folder, existing, lines, (before) => addIntegration(before, imported));
  }
  // A new site has its own config.
  if (isNew) return undefined;
  const isAstro =
    packageJson !== undefined && hasDependency(readTextFile(join(folder, packageJson)) ?? '', 'astro');
  // The user may expect a complete site, which would overwrite existing files.
  warnings.push(
    isAstro
      ? `No pages were created, because the folder is not empty: it has ${formatNames(others)}.`
      : `This folder has neither an astro.config nor Astro in its package.json. Is it the right one? A complete site is only created in an empty folder; this one has ${formatNames(others)}.`,
  );
  if (!isAstro) return undefined;
  const path = 'astro.config.mjs';
  if (hasName(space)) return compareWithDisk(folder, path, newAstroConfig(space, srcDir));
  return { path, why: 'It was not created, because the export name of the space is not known. Add', lines };
}

function hasName(space: PlannedSpace): space is SpaceExport {
  return space.name !== undefined;
}

/** Plans a change to a file of the user; if its syntax is not supported, returns the lines to add by hand. */
function planEdit(
  folder: string,
  path: string,
  lines: readonly string[],
  change: (before: string) => string,
): PlannedFile | ManualChange {
  const before = readTextFile(join(folder, path)) ?? '';
  try {
    const text = change(before);
    const manual = { path, why: 'It was not changed. Add', lines };
    return { path, text, before, state: text === before ? 'same' : 'added to', manual };
  } catch (error) {
    if (!(error instanceof UnsupportedSyntaxError)) throw error;
    return { path, why: `It cannot be extended automatically (${error.message}). Add`, lines };
  }
}

function planPackageJson({ folder, project }: PlanContext): PlannedFile[] {
  const { astro, luid } = versions();
  const path = 'package.json';
  const requirements = project.isNew
    ? {
        isModule: true,
        scripts: SITE_SCRIPTS,
        dependencies: { astro, 'astro-luid': luid },
        devDependencies: SITE_DEV_DEPENDENCIES,
      }
    : { dependencies: { 'astro-luid': luid } };
  const before = readTextFile(join(folder, path));
  if (before !== undefined) {
    const text = addDependencies(before, requirements);
    const about = 'missing entries';
    return [{ path, text, before, about, state: text === before ? 'same' : 'added to' }];
  }
  return project.isNew ? [compareWithDisk(folder, path, newPackageJson(basename(folder), requirements))] : [];
}

function planEnv(
  { folder, inferred, credentials, environment }: PlanContext,
  warnings: string[],
): PlannedFile {
  const path = '.env';
  const before = readTextFile(join(folder, path));
  const { assetsUrl } = inferred;
  if (assetsUrl !== undefined && formatEnvValue(assetsUrl) === undefined) {
    warnings.push(
      'LUID_ASSETS_URL was not written: the URL of the media has characters that .env files cannot contain.',
    );
  }
  const wanted = {
    LUID_BASE_URL: credentials.baseUrl,
    ...(assetsUrl !== undefined && formatEnvValue(assetsUrl) !== undefined && { LUID_ASSETS_URL: assetsUrl }),
    LUID_API_KEY: credentials.apiKey,
  };
  const local = readEnvFile(join(folder, '.env.local'));
  const known = { ...parseEnv(before ?? ''), ...local };
  // A line such as LUID_BASE_URL=${CMS}/v1 stays if that is its value.
  const isExpanded = (name: string, value: string) =>
    known[name]?.includes('$') && process.env[name] === undefined && environment[name] === value;
  const missing = Object.entries(wanted).filter(
    ([name, value]) => local[name] !== value && !isExpanded(name, value),
  );
  const { text, added, replaced } = setEnvVariables(before ?? '', Object.fromEntries(missing));
  const isSame = text === (before ?? '');
  const state = isSame
    ? 'same'
    : before === undefined
      ? 'new'
      : replaced.length > 0
        ? 'different'
        : 'added to';
  const about =
    replaced.length > 0
      ? `${replaced.join(', ')} would get a different value`
      : added.join(', ') || undefined;
  return { path, text, before, state, about, secret: true };
}

function planIgnore({ folder, project, envInGit }: PlanContext): PlannedFile[] {
  const path = '.gitignore';
  const before = readTextFile(join(folder, path));
  if (project.isNew && before === undefined) {
    return [{ path, text: SITE_GITIGNORE.map((line) => `${line}\n`).join(''), before, state: 'new' }];
  }
  const present = new Set((before ?? '').split(/\r?\n/).map(plainPattern));
  const lines = project.isNew ? SITE_GITIGNORE.filter((line) => !present.has(plainPattern(line))) : [];
  const others = lines.filter((line) => line !== '.env');
  // The last matching line of a .gitignore wins, so this one comes last.
  const needsEnv = envInGit === 'not ignored' || (envInGit === 'unknown' && !present.has('.env'));
  const needed = [...others, ...(needsEnv || lines.includes('.env') ? ['.env'] : [])];
  if (needed.length === 0) return [];
  const text = needed.reduce(addIgnoreLine, before ?? '');
  const about = needed.includes('.env') ? '.env, which contains the API key' : needed.join(', ');
  return [{ path, text, before, about, state: before === undefined ? 'new' : 'added to' }];
}

function plainPattern(line: string): string {
  return line.trim().replace(/^\/|\/$/g, '');
}

/** Plans to write the text of a file to another path. */
export function planCopy(folder: string, file: PlannedFile, path: string): PlannedFile {
  return { ...file, path, before: readTextFile(join(folder, path)) };
}

function compareWithDisk(folder: string, path: string, text: string): PlannedFile {
  const before = readTextFile(join(folder, path));
  const state = before === undefined ? 'new' : before === text ? 'same' : 'different';
  return { path, text, before, state };
}

/** The version of this package, and of the Astro that it was tested with. */
function versions() {
  const { version } = createRequire(import.meta.url)('astro-luid/package.json') as { version: string };
  return { luid: `^${version}`, astro: '^7.3.4' };
}

const MAX_NAMES = 3;

function formatNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).map((name) => printable(name, 40));
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
