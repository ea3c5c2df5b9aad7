import { describe, expect, test } from 'vitest';
import { addCollections } from '../../../src/cli/init/edit/content-config.ts';
import type { Collection } from '../../../src/cli/init/space-file/collections.ts';

const IN_SRC = { from: './space.ts', name: 'space' };

function lines(...text: string[]): string {
  return `${text.join('\n')}\n`;
}

const ARTICLE: Collection = { model: 'article', id: 'slug', body: 'body', langs: undefined };
const AUTHOR: Collection = { model: 'author', id: undefined, body: undefined, langs: ['ja', 'en'] };
const ARTICLE_CODE = "defineCollection({ loader: space.loader('article', { id: 'slug', body: 'body' }) })";

describe('adding collections to a content config', () => {
  test('adds them after those of the user, which stay unchanged', () => {
    const before = lines(
      "import { defineCollection, z } from 'astro:content';",
      "import { glob } from 'astro/loaders';",
      '',
      '// my blog',
      'const blog = defineCollection({ loader: glob({ pattern: "*.md", base: "./blog" }), schema: z.object({}) });',
      '',
      'export const collections = { blog };',
    );
    expect(addCollections(before, [ARTICLE, AUTHOR], IN_SRC)).toBe(
      before
        .replace("'astro/loaders';\n", "'astro/loaders';\nimport { space } from './space.ts';\n")
        .replace(
          '{ blog };',
          `{\n  blog,\n  article: ${ARTICLE_CODE},\n  author: defineCollection({ loader: space.loader('author', { langs: ['ja', 'en'] }) }),\n};`,
        ),
    );
  });

  test('uses the local names of existing imports', () => {
    const before = lines(
      "import { defineCollection as collection } from 'astro:content';",
      "import { space as cms } from '@/space';",
      'const collections = {',
      '  blog: collection({}),',
      '} as const;',
      'export { collections };',
    );
    const after = addCollections(before, [{ ...ARTICLE, id: undefined, body: undefined }], IN_SRC);
    expect(after).toBe(
      before.replace(
        'collection({}),\n',
        "collection({}),\n  article: collection({ loader: cms.loader('article') }),\n",
      ),
    );
  });

  test('chooses another name if the user has a collection of that name', () => {
    const before = lines(
      "import { defineCollection } from 'astro:content';",
      'export const collections = {',
      '  article: defineCollection({}),',
      '};',
    );
    expect(addCollections(before, [ARTICLE], IN_SRC)).toContain(`  luid_article: ${ARTICLE_CODE},`);
  });

  test.each([
    [
      'loaded under another name',
      "export const collections = { news: f({ loader: cms.loader('article') }) };",
    ],
    ['loaded with all others', 'export const collections = { ...space.collections() };'],
    ['added before', addCollections('export const collections = {};', [ARTICLE], IN_SRC)],
  ])('adds nothing for a model that is %s', (_, text) => {
    expect(addCollections(text, [ARTICLE], IN_SRC)).toBe(text);
  });

  test.each([
    ['made by a call', 'export const collections = make();'],
    ['not exported', 'const collections = {};'],
    ['exported from elsewhere', "export { collections } from './other';"],
  ])('rejects collections that are %s', (_, text) => {
    expect(() => addCollections(text, [ARTICLE], IN_SRC)).toThrow();
  });
});
