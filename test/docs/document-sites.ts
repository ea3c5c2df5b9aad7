import { expect } from 'vitest';
import type { RunningEmulator } from '../../src/emulator/index.ts';
import { createSite, type Site } from '../e2e/site.ts';
import { blocksOf, DOCUMENTS } from './documents.ts';

/** Type-checked, as files of a site. */
export const CODE: ReadonlySet<string> = new Set(['ts', 'js', 'mjs', 'astro']);

const README = 'README.md';
export const QUICK_START = 'docs/start/quick-start.md';
export const TUTORIAL = 'docs/start/tutorial.md';
const GUIDES = 'docs/guides/README.md';
export const PREVIEWS = 'docs/guides/previews.md';
const [SERVING, REVALIDATION] = ['docs/guides/serving.md', 'docs/guides/revalidation.md'];
export const HOSTS = 'docs/guides/hosts.md';

const isStart = (document: string) =>
  document === README || (document.startsWith('docs/start/') && document !== TUTORIAL);
/** Sites of their own: with pages of the same names, or with one that only a server has. */
const APART: readonly string[] = [TUTORIAL, PREVIEWS, SERVING, REVALIDATION, HOSTS];

/** The guides and recipes of one site, with all files that they share. */
export const RECIPES: readonly string[] = DOCUMENTS.filter(
  (document) => document.startsWith('docs/guides/') && !APART.includes(document),
);

/** Documents whose examples are files of one site. They run on the bundled sample. */
export const SITES: readonly { name: string; documents: readonly string[] }[] = [
  { name: 'the README and the start', documents: DOCUMENTS.filter(isStart) },
  { name: TUTORIAL, documents: [TUTORIAL] },
  { name: PREVIEWS, documents: [QUICK_START, PREVIEWS] },
  { name: SERVING, documents: [SERVING] },
  { name: REVALIDATION, documents: [GUIDES, REVALIDATION] },
  { name: HOSTS, documents: [HOSTS] },
  { name: 'the guides', documents: RECIPES },
  {
    name: 'all other documents',
    documents: [
      GUIDES,
      ...DOCUMENTS.filter(
        (document) => !isStart(document) && !APART.includes(document) && !RECIPES.includes(document),
      ),
    ],
  },
];

/** The files that documents show. The last of two with the same name counts, if it is one that `replaces`. */
function filesOf(documents: readonly string[], replaces: readonly string[] = []): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { document, file, language, line, code } of documents.flatMap(blocksOf)) {
    if (!CODE.has(language)) continue;
    const name = file ?? `src/${document.replace(/\.md$/, '').replaceAll('/', '-')}-${line}.${language}`;
    // The quick start is in the README too.
    if (!replaces.includes(document)) {
      expect(files[name] ?? code, `${document}:${line} is another ${name}`).toBe(code);
    }
    files[name] = code;
  }
  return files;
}

const PACKAGES = ['@astrojs/check', '@astrojs/node', '@astrojs/rss', '@astrojs/sitemap', '@types/node'];

/** A site that consists of the files that documents show, and of `more`. */
export function createSiteOf(
  documents: readonly string[],
  service: RunningEmulator,
  more: Readonly<Record<string, string>> = {},
): Site {
  // Previews extend the page of the quick start, and steps of the tutorial the files of earlier ones.
  return createSiteFrom(filesOf(documents, [PREVIEWS, TUTORIAL]), service, more);
}

/** A site that consists of these files, with what documents take for granted. */
export function createSiteFrom(
  files: Readonly<Record<string, string>>,
  service: RunningEmulator,
  more: Readonly<Record<string, string>> = {},
): Site {
  const site = createSite(
    {
      ...files,
      // Also configuration files and tests, which are outside of `src`.
      'tsconfig.json': JSON.stringify({
        extends: 'astro/tsconfigs/strictest',
        compilerOptions: { checkJs: true },
        include: ['.astro/types.d.ts', '**/*'],
        exclude: ['dist', 'node_modules'],
      }),
      ...more,
    },
    {
      LUID_BASE_URL: service.baseUrl,
      LUID_ASSETS_URL: service.assetsUrl,
      LUID_API_KEY: 'published-key',
      LUID_DRAFT_API_KEY: 'draft-key',
    },
    [...PACKAGES, 'unstorage'],
  );
  // Configurations in folders of their own are of the same site.
  for (const name of Object.keys(files)) {
    const [, folder] = /^(with-[^/]+)\//.exec(name) ?? [];
    if (!folder) continue;
    for (const module of ['space', 'path-of']) {
      if (files[`src/${module}.ts`])
        site.write({ [`${folder}/src/${module}.ts`]: `export * from '../../src/${module}';` });
    }
  }
  return site;
}
