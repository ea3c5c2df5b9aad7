import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { createSite, type Site } from '../e2e/site.ts';
import { type Block, blocksOf, DOCUMENTS } from './documents.ts';

const created_at = '2026-01-01T00:00:00Z';

/** A space that the examples could be about. */
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

/** What the examples take for granted: a site's own components. */
const COMPONENTS = {
  'src/components/Hero.astro':
    '---\nimport type { Media } from "astro-luid";\ninterface Props { image: Media | null; title: string }\n---\n<h2>{Astro.props.title}</h2>',
  'src/components/Quote.astro': '---\ninterface Props { text: string }\n---\n<q>{Astro.props.text}</q>',
};

const filesOf = (blocks: readonly Block[]) =>
  Object.fromEntries(
    blocks.map(({ file, language, line, code }) => [file ?? `src/example-${line}.${language}`, code]),
  );

let service: RunningEmulator;
beforeAll(async () => {
  service = await startEmulator(seed);
});
afterAll(() => service?.close());

describe.each(DOCUMENTS.filter((name) => blocksOf(name).some(({ language }) => CHECKED.has(language))))(
  'the code in %s',
  (document) => {
    let site: Site;
    beforeAll(() => {
      const common = blocksOf('docs/guides.md').filter(({ file }) =>
        ['src/space.ts', 'src/content.config.ts', 'src/live.config.ts'].includes(file ?? ''),
      );
      const own = blocksOf(document).filter(({ language }) => CHECKED.has(language));
      site = createSite(
        { ...COMPONENTS, ...filesOf(common), ...filesOf(own) },
        {
          LUID_BASE_URL: service.baseUrl,
          LUID_ASSETS_URL: service.assetsUrl,
          LUID_API_KEY: 'published',
          LUID_DRAFT_API_KEY: 'drafts',
        },
        ['@astrojs/check', 'unstorage'],
      );
    });
    afterAll(() => site?.remove());

    test('has no error that astro check could find', async () => {
      const report = await site.astro(['check', '--minimumFailingSeverity', 'error']).then(
        () => '',
        (error: Error) => stripVTControlCharacters(error.message),
      );
      expect(report).toBe('');
    });
  },
);
