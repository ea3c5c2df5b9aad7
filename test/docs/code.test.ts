import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import { createSite, type Site } from '../e2e/site.ts';
import { blocksOf, DOCUMENTS } from './documents.ts';

const created_at = '2026-01-01T00:00:00Z';

/** The space of the examples. */
const seed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [
    { key: 'published', reads: 'published' },
    { key: 'drafts', reads: 'drafts' },
  ],
  models: {
    author: { name: { type: 'text' } },
    article: {
      title: { type: 'text' },
      slug: { type: 'text' },
      author: { type: 'reference', model: 'author' },
    },
  },
  contents: [
    { id: 1, model: 'author', created_at, published: { ja: { name: '森' } } },
    { id: 2, model: 'article', created_at, published: { ja: { title: '港', slug: 'harbour', author: 1 } } },
  ],
};

const CHECKED = new Set(['ts', 'js', 'astro']);

/** Components of the site that the examples use. */
const COMPONENTS = {
  'src/components/Hero.astro':
    '---\nimport type { Media } from "astro-luid";\ninterface Props { image: Media | null; title: string }\n---\n<h2>{Astro.props.title}</h2>',
  'src/components/Quote.astro': '---\ninterface Props { text: string }\n---\n<q>{Astro.props.text}</q>',
};

/** Documents whose examples are of one site, so each file occurs once. */
const SITES = [
  ['README.md'],
  ['docs/serving.md'],
  DOCUMENTS.filter((document) => document.startsWith('docs/') && document !== 'docs/serving.md'),
  DOCUMENTS.filter((document) => document !== 'README.md' && !document.startsWith('docs/')),
];

function filesOf(documents: readonly string[]): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { document, file, language, line, code } of documents.flatMap(blocksOf)) {
    if (!CHECKED.has(language)) continue;
    const name = file ?? `src/${basename(document, '.md')}-${line}.${language}`;
    expect(files, `${document}:${line} is another ${name}`).not.toHaveProperty([name]);
    files[name] = code;
  }
  return files;
}

const withCode = SITES.filter((documents) => Object.keys(filesOf(documents)).length > 0);

describe.each(withCode.map((documents) => [documents.join(', '), documents] as const))(
  'the code in %s',
  (_names, documents) => {
    let service: RunningEmulator;
    let site: Site;
    beforeAll(async () => {
      // The README uses the bundled sample.
      const { seed: shown, directory } = documents.includes('README.md')
        ? sampleSeed()
        : { seed, directory: '.' };
      service = await startEmulator(shown, { directory });
      const { keys } = shown as typeof seed;
      const keyFor = (kind: string) => keys.find(({ reads }) => reads === kind)?.key;
      site = createSite(
        { ...COMPONENTS, ...filesOf(documents) },
        {
          LUID_BASE_URL: service.baseUrl,
          LUID_ASSETS_URL: service.assetsUrl,
          LUID_API_KEY: keyFor('published'),
          LUID_DRAFT_API_KEY: keyFor('drafts'),
        },
        ['@astrojs/check', '@astrojs/node', '@astrojs/rss', 'unstorage'],
      );
    });
    afterAll(async () => {
      site?.remove();
      await service?.close();
    });

    test('passes astro check', { timeout: 180_000 }, async () => {
      const report = await site.astro(['check', '--minimumFailingSeverity', 'error']).then(
        () => '',
        (error: Error) => stripVTControlCharacters(error.message),
      );
      expect(report).toBe('');
    });
  },
);
