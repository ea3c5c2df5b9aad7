import { describe, expect, test } from 'vitest';
import { srcDirOf, withIntegration } from '../../../src/cli/init/astro-config.ts';
import type { Collection } from '../../../src/cli/init/collections.ts';
import { withCollections } from '../../../src/cli/init/content-config.ts';

const SPACE = { from: './src/space.ts', name: 'space' };
const IN_SRC = { from: './space.ts', name: 'space' };

function lines(...text: string[]): string {
  return `${text.join('\n')}\n`;
}

describe('the integration is added to an Astro config', () => {
  test('at the end of its integrations, in its own quotes, without semicolons, with all comments kept', () => {
    const before = lines(
      '// @ts-check',
      'import { defineConfig } from "astro/config"',
      'import mdx from "@astrojs/mdx" // for posts',
      '',
      '/* mine */',
      'export default defineConfig({',
      '  site: "https://example.com", // where',
      '  integrations: [mdx()],',
      '})',
    );
    expect(withIntegration(before, SPACE)).toBe(
      before
        .replace(
          '// for posts\n',
          '// for posts\nimport luid from "astro-luid/integration"\nimport { space } from "./src/space.ts"\n',
        )
        .replace('[mdx()]', '[mdx(), luid(space)]'),
    );
  });

  test('on a line of its own where the others are, whatever follows the last one', () => {
    const before = lines(
      "import { defineConfig } from 'astro/config';",
      'export default defineConfig({',
      '\tintegrations: [',
      '\t\ta(),',
      '\t\tb({ deep: [1] }) // the last',
      '\t\t// nothing more',
      '\t],',
      '});',
    );
    const after = withIntegration(before, SPACE);
    expect(after).toContain('\t\tb({ deep: [1] }), // the last\n\t\tluid(space),\n\t\t// nothing more\n\t],');
  });

  test('as a new property, with Windows line ends', () => {
    const before = lines(
      "import { defineConfig } from 'astro/config';",
      '',
      'export default defineConfig({});',
    );
    const after = withIntegration(before.replaceAll('\n', '\r\n'), SPACE);
    expect(after).toContain('defineConfig({\r\n  integrations: [luid(space)],\r\n});');
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });

  test('to a plain object, to one behind a name, and with `satisfies`', () => {
    const plain = withIntegration("// @ts-check\nexport default { site: 'x' };\n", SPACE);
    expect(plain).toBe(
      lines(
        '// @ts-check',
        "import luid from 'astro-luid/integration';",
        "import { space } from './src/space.ts';",
        '',
        'export default {',
        "  site: 'x',",
        '  integrations: [luid(space)],',
        '};',
      ),
    );
    const named =
      'const list = [a()];\nconst config = { integrations: list } satisfies X;\nexport default config;\n';
    expect(withIntegration(named, SPACE)).toContain('const list = [a(), luid(space)];');
  });

  test('where there were only comments', () => {
    const before = 'export default defineConfig({\n  // nothing yet\n});\n';
    expect(withIntegration(before, SPACE)).toContain(
      'defineConfig({\n  // nothing yet\n  integrations: [luid(space)],\n});\n',
    );
    expect(withIntegration('export default { integrations: [ /* none */ ] };\n', SPACE)).toContain(
      'integrations: [ /* none */\n  luid(space),\n] };',
    );
  });

  test('under another name where `space` or `luid` is taken', () => {
    const before = 'const space = 1;\nconst luid = 2;\nexport default { integrations: [] };\n';
    const after = withIntegration(before, SPACE);
    expect(after).toContain("import luidIntegration from 'astro-luid/integration';");
    expect(after).toContain("import { space as luidSpace } from './src/space.ts';");
    expect(after).toContain('integrations: [luidIntegration(luidSpace)]');
  });

  test.each([
    ['by hand', "import x from 'astro-luid/integration';\nexport default { integrations: [x(space)] };"],
    ['by `astro add`', "import luid from 'astro-luid';\nexport default { integrations: [luid()] };"],
    ['by this command', withIntegration('export default {};', SPACE)],
  ])('not again: added %s, it stays as it is', (_, text) => {
    expect(withIntegration(text, SPACE)).toBe(text);
  });

  test.each([
    ['a function', 'export default defineConfig(() => ({}));'],
    ['a list that is computed', 'export default { integrations: [a()].concat(b) };'],
    ['CommonJS', 'module.exports = {};'],
    ['no JavaScript', 'export default {'],
  ])('not to %s, which is left to the user', (_, text) => {
    expect(() => withIntegration(text, SPACE)).toThrow();
  });

  test('reads srcDir', () => {
    expect(srcDirOf("export default { srcDir: './source' };")).toBe('./source');
    expect(srcDirOf("const dir = 'app';\nexport default defineConfig({ srcDir: dir });")).toBe('app');
    expect(srcDirOf("export default { srcDir: new URL('./web/', import.meta.url) };")).toBe('./web/');
    expect(srcDirOf('export default {};')).toBeUndefined();
    expect(() => srcDirOf('export default { srcDir: process.env.DIR };')).toThrow();
    expect(() => srcDirOf("export default { srcDir: '../other' };")).toThrow();
  });
});

const ARTICLE: Collection = { model: 'article', id: 'slug', body: 'body', langs: undefined };
const AUTHOR: Collection = { model: 'author', id: undefined, body: undefined, langs: ['ja', 'en'] };
const ARTICLE_CODE = "defineCollection({ loader: space.loader('article', { id: 'slug', body: 'body' }) })";

describe('collections are added to a content config', () => {
  test('after those of the user, which keep every character', () => {
    const before = lines(
      "import { defineCollection, z } from 'astro:content';",
      "import { glob } from 'astro/loaders';",
      '',
      '// my blog',
      'const blog = defineCollection({ loader: glob({ pattern: "*.md", base: "./blog" }), schema: z.object({}) });',
      '',
      'export const collections = { blog };',
    );
    expect(withCollections(before, [ARTICLE, AUTHOR], IN_SRC)).toBe(
      before
        .replace("'astro/loaders';\n", "'astro/loaders';\nimport { space } from './space.ts';\n")
        .replace(
          '{ blog };',
          `{\n  blog,\n  article: ${ARTICLE_CODE},\n  author: defineCollection({ loader: space.loader('author', { langs: ['ja', 'en'] }) }),\n};`,
        ),
    );
  });

  test('with the local names of its imports', () => {
    const before = lines(
      "import { defineCollection as collection } from 'astro:content';",
      "import { space as cms } from '@/space';",
      'const collections = {',
      '  blog: collection({}),',
      '} as const;',
      'export { collections };',
    );
    const after = withCollections(before, [{ ...ARTICLE, id: undefined, body: undefined }], IN_SRC);
    expect(after).toBe(
      before.replace(
        'collection({}),\n',
        "collection({}),\n  article: collection({ loader: cms.loader('article') }),\n",
      ),
    );
  });

  test('under another name where the user has a collection called so', () => {
    const before = lines(
      "import { defineCollection } from 'astro:content';",
      'export const collections = {',
      '  article: defineCollection({}),',
      '};',
    );
    expect(withCollections(before, [ARTICLE], IN_SRC)).toContain(`  luid_article: ${ARTICLE_CODE},`);
  });

  test.each([
    [
      'loaded under another name',
      "export const collections = { news: f({ loader: cms.loader('article') }) };",
    ],
    ['loaded with all others', 'export const collections = { ...space.collections() };'],
    ['added before', withCollections('export const collections = {};', [ARTICLE], IN_SRC)],
  ])('but not one that is %s', (_, text) => {
    expect(withCollections(text, [ARTICLE], IN_SRC)).toBe(text);
  });

  test.each([
    ['made by a call', 'export const collections = make();'],
    ['not exported', 'const collections = {};'],
    ['exported from elsewhere', "export { collections } from './other';"],
  ])('and where they are %s, that is left to the user', (_, text) => {
    expect(() => withCollections(text, [ARTICLE], IN_SRC)).toThrow();
  });
});
