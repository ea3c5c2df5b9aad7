import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, relative } from 'node:path';
import type { Inferred } from '../../infer/infer.ts';
import type { Survey } from '../../survey/survey.ts';
import { quoted } from '../space-file/code-literals.ts';
import type { Collection } from '../space-file/collections.ts';
import { entryPage, listPage, standalonePage } from './page-files.ts';
import { createSections } from './sections.ts';
import { settingsFile } from './settings-file.ts';

export interface SiteOptions {
  /** The name of the site. */
  readonly name: string;
  /** The source folder, relative to the project. */
  readonly srcDir: string;
  readonly space: SpaceExport;
}

/** The space file, relative to the project, and the export name of the space. */
export interface SpaceExport {
  readonly path: string;
  readonly name: string;
}

/** The files of a new site besides the space and its collections: for each model with pages a list, and a page per entry. */
export function createSiteFiles(
  inferred: Inferred,
  survey: Pick<Survey, 'models' | 'languages'>,
  collections: readonly Collection[],
  { name, srcDir, space }: SiteOptions,
): Record<string, string> {
  const sections = createSections(inferred, survey, collections);
  const main = survey.languages?.main ?? 'en';
  const hasLangs = sections.some(({ langs }) => langs !== undefined);
  const sources: Record<string, string> = {
    ...templateFiles(hasLangs),
    'src/settings.ts': settingsFile(sections, name, main),
  };
  const pages = hasLangs ? 'src/pages/[lang]' : 'src/pages';
  for (const section of sections) {
    sources[`${pages}/${section.folder}/[...page].astro`] = listPage(section);
    sources[`${pages}/${section.folder}/[id].astro`] = entryPage(section);
  }
  const moved = Object.entries(sources).map(([path, text]) => {
    return [posix.normalize(path.replace(/^src(?=\/)/, srcDir)), text];
  });
  return { 'astro.config.mjs': newAstroConfig(space, srcDir), ...Object.fromEntries(moved) };
}

/** What is the same in every new site, by path: templates/site of this package. */
function templateFiles(hasLangs: boolean): Record<string, string> {
  const root = dirname(createRequire(import.meta.url).resolve('astro-luid/package.json'));
  const folder = join(root, 'templates/site');
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((one) => one.isFile())
    .map((one) => relative(folder, join(one.parentPath, one.name)).replaceAll('\\', '/'));
  const used = paths.filter((path) => hasLangs || !path.includes('[lang]')).sort();
  return Object.fromEntries(used.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** A page for an existing site: its path, and its code. */
export function createPageSnippet(
  inferred: Inferred,
  survey: Pick<Survey, 'models'>,
  collections: readonly Collection[],
  srcDir: string,
): { readonly path: string; readonly code: string } | undefined {
  const [section] = createSections(inferred, survey, collections);
  // Ids contain slashes if they begin with a language.
  return (
    section && {
      path: posix.join(srcDir, 'pages', section.folder, '[...id].astro'),
      code: standalonePage(section),
    }
  );
}

export const SITE_SCRIPTS = {
  dev: 'astro dev',
  build: 'astro build',
  preview: 'astro preview',
  check: 'astro check',
};

export const SITE_DEV_DEPENDENCIES = { '@astrojs/check': '^0.9.10', typescript: '^6.0.3' };

/** `astro.config.mjs`, with `srcDir` if it is not Astro's default. */
export function newAstroConfig({ path, name }: SpaceExport, srcDir: string): string {
  const folder = srcDir === 'src' ? '' : `  srcDir: ${quoted(srcDir === '.' ? './' : `./${srcDir}`)},\n`;
  return `import { defineConfig } from 'astro/config';
import luid from 'astro-luid/integration';
import { ${name} } from ${quoted(`./${path}`)};

export default defineConfig({
${folder}  integrations: [luid(${name})],
});
`;
}

export const SITE_GITIGNORE = ['node_modules/', 'dist/', '.astro/', '.env', '.env.*'];
