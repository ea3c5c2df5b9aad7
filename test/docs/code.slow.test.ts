import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createEmulator, type RunningEmulator, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import { createSite, type Site } from '../e2e/site.ts';
import { type Block, blocksOf, DOCUMENTS } from './documents.ts';
import { problemsInShell } from './shell.ts';

const created_at = '2026-01-01T00:00:00Z';

/** The space of the examples. */
const seed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [
    { key: 'published', reads: 'published' },
    { key: 'drafts', reads: 'drafts' },
  ],
  models: {
    author: { name: { type: 'text' }, slug: { type: 'text' } },
    article: {
      title: { type: 'text' },
      slug: { type: 'text' },
      author: { type: 'reference', model: 'author' },
    },
  },
  contents: [
    { id: 1, model: 'author', created_at, published: { ja: { name: '森', slug: 'mori' } } },
    { id: 2, model: 'article', created_at, published: { ja: { title: '港', slug: 'harbour', author: 1 } } },
  ],
};

/** Type-checked, as files of a site. */
const CODE = new Set(['ts', 'js', 'mjs', 'astro']);

/** A component of the site that the examples use and do not show. */
const COMPONENTS = {
  'src/components/Quote.astro': '---\ninterface Props { text: string }\n---\n<q>{Astro.props.text}</q>',
};

const isStart = (document: string) => document === 'README.md' || document.startsWith('docs/start/');
const GUIDES = 'docs/guides/README.md';
const [SERVING, REVALIDATION] = ['docs/guides/serving.md', 'docs/guides/revalidation.md'];

/** Documents whose examples are files of one site. */
const SITES: readonly { name: string; documents: readonly string[]; usesSample?: boolean }[] = [
  { name: 'the README and the start', documents: DOCUMENTS.filter(isStart), usesSample: true },
  { name: SERVING, documents: [SERVING] },
  { name: REVALIDATION, documents: [GUIDES, REVALIDATION] },
  {
    name: 'all other documents',
    documents: DOCUMENTS.filter(
      (document) => !isStart(document) && document !== SERVING && document !== REVALIDATION,
    ),
  },
];

function filesOf(documents: readonly string[]): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { document, file, language, line, code } of documents.flatMap(blocksOf)) {
    if (!CODE.has(language)) continue;
    const name = file ?? `src/${document.replace(/\.md$/, '').replaceAll('/', '-')}-${line}.${language}`;
    // The quick start is in the README too.
    expect(files[name] ?? code, `${document}:${line} is another ${name}`).toBe(code);
    files[name] = code;
  }
  return files;
}

describe.each(SITES)('the code in $name', ({ documents, usesSample }) => {
  let service: RunningEmulator;
  let site: Site;
  beforeAll(async () => {
    const { seed: shown, directory } = usesSample ? sampleSeed() : { seed, directory: '.' };
    service = await startEmulator(shown, { directory });
    const { keys } = shown as typeof seed;
    const keyFor = (kind: string) => keys.find(({ reads }) => reads === kind)?.key;
    site = createSite(
      {
        ...COMPONENTS,
        ...filesOf(documents),
        // Also configuration files and tests, which are outside of `src`.
        'tsconfig.json': JSON.stringify({
          extends: 'astro/tsconfigs/strictest',
          compilerOptions: { checkJs: true },
          include: ['.astro/types.d.ts', '**/*'],
          exclude: ['dist', 'node_modules'],
        }),
      },
      {
        LUID_BASE_URL: service.baseUrl,
        LUID_ASSETS_URL: service.assetsUrl,
        LUID_API_KEY: keyFor('published'),
        LUID_DRAFT_API_KEY: keyFor('drafts'),
      },
      ['@astrojs/check', '@astrojs/node', '@astrojs/rss', '@astrojs/sitemap', '@types/node', 'unstorage'],
    );
    // Configurations in folders of their own are of the same site.
    for (const file of Object.keys(filesOf(documents))) {
      const [, folder] = /^(with-[^/]+)\//.exec(file) ?? [];
      if (folder) site.write({ [`${folder}/src/space.ts`]: "export * from '../../src/space';" });
    }
  });
  afterAll(async () => {
    site?.remove();
    await service?.close();
  });

  test('passes astro check', async () => {
    const report = await site.astro(['check', '--minimumFailingSeverity', 'error']).then(
      () => '',
      (error: Error) => stripVTControlCharacters(error.message),
    );
    expect(report).toBe('');
  });
});

/** How blocks in other languages are checked. */
const CHECKS: Readonly<Record<string, (block: Block) => unknown>> = {
  sh: ({ code }) => expect(problemsInShell(code)).toEqual([]),
  // Seeds are the only JSON.
  json: ({ code }) => createEmulator(JSON.parse(code)),
  yaml: ({ code }) => expect(parse(code)).toHaveProperty('jobs'),
};

/** Blocks that cannot be checked, and why. */
const UNCHECKED: Readonly<Record<string, { reason: string; documents: readonly string[] }>> = {
  text: {
    reason: 'output of programs, and diagrams of characters',
    documents: [
      'docs/architecture.md',
      'docs/guides/emulator.md',
      'docs/guides/serving.md',
      'docs/reference/commands.md',
      'docs/start/concepts.md',
    ],
  },
  mermaid: { reason: 'sequence diagrams, which Git hosts render', documents: ['docs/architecture.md'] },
};

const others = DOCUMENTS.flatMap(blocksOf).filter(({ language }) => !CODE.has(language));

test.each(others.map((block) => [`${block.document}:${block.line}`, block] as const))(
  'the block at %s is checked, or cannot be',
  (_place, block) => {
    const check = CHECKS[block.language];
    if (check) check(block);
    else expect(UNCHECKED[block.language]?.documents).toContain(block.document);
  },
);
