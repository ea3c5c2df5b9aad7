import { describe, expect, test } from 'vitest';
import { addIntegration, srcDirOf } from '../../../src/cli/init/edit/astro-config.ts';

const SPACE = { from: './src/space.ts', name: 'space' };
const _IN_SRC = { from: './space.ts', name: 'space' };

function lines(...text: string[]): string {
  return `${text.join('\n')}\n`;
}

describe('adding the integration to an Astro config', () => {
  test('appends to the integrations, in the style of the file, and keeps comments', () => {
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
    expect(addIntegration(before, SPACE)).toBe(
      before
        .replace(
          '// for posts\n',
          '// for posts\nimport luid from "astro-luid/integration"\nimport { space } from "./src/space.ts"\n',
        )
        .replace('[mdx()]', '[mdx(), luid(space)]'),
    );
  });

  test('adds a line if the others have their own lines', () => {
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
    const after = addIntegration(before, SPACE);
    expect(after).toContain('\t\tb({ deep: [1] }), // the last\n\t\tluid(space),\n\t\t// nothing more\n\t],');
  });

  test('adds a new property, with Windows line ends', () => {
    const before = lines(
      "import { defineConfig } from 'astro/config';",
      '',
      'export default defineConfig({});',
    );
    const after = addIntegration(before.replaceAll('\n', '\r\n'), SPACE);
    expect(after).toContain('defineConfig({\r\n  integrations: [luid(space)],\r\n});');
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });

  test('extends a plain object, a named constant and an object with `satisfies`', () => {
    const plain = addIntegration("// @ts-check\nexport default { site: 'x' };\n", SPACE);
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
    expect(addIntegration(named, SPACE)).toContain('const list = [a(), luid(space)];');
  });

  test('extends a list that contains only comments', () => {
    const before = 'export default defineConfig({\n  // nothing yet\n});\n';
    expect(addIntegration(before, SPACE)).toContain(
      'defineConfig({\n  // nothing yet\n  integrations: [luid(space)],\n});\n',
    );
    expect(addIntegration('export default { integrations: [ /* none */ ] };\n', SPACE)).toContain(
      'integrations: [ /* none */\n  luid(space),\n] };',
    );
  });

  test('chooses other local names if `space` or `luid` is taken', () => {
    const before = 'const space = 1;\nconst luid = 2;\nexport default { integrations: [] };\n';
    const after = addIntegration(before, SPACE);
    expect(after).toContain("import luidIntegration from 'astro-luid/integration';");
    expect(after).toContain("import { space as luidSpace } from './src/space.ts';");
    expect(after).toContain('integrations: [luidIntegration(luidSpace)]');
  });

  test.each([
    ['by hand', "import x from 'astro-luid/integration';\nexport default { integrations: [x(space)] };"],
    ['by `astro add`', "import luid from 'astro-luid';\nexport default { integrations: [luid()] };"],
    ['by this command', addIntegration('export default {};', SPACE)],
  ])('changes nothing if it was added %s', (_, text) => {
    expect(addIntegration(text, SPACE)).toBe(text);
  });

  test.each([
    ['a function', 'export default defineConfig(() => ({}));'],
    ['a list that is computed', 'export default { integrations: [a()].concat(b) };'],
    ['CommonJS', 'module.exports = {};'],
    ['no JavaScript', 'export default {'],
  ])('rejects %s', (_, text) => {
    expect(() => addIntegration(text, SPACE)).toThrow();
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
