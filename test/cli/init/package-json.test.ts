import { describe, expect, test } from 'vitest';
import { newPackageJson, withNeeds } from '../../../src/cli/init/package-json.ts';

const NEEDS = {
  isModule: true,
  scripts: { dev: 'astro dev', build: 'astro build' },
  dependencies: { astro: '^7.3.4', 'astro-luid': '^1.0.0' },
  devDependencies: { typescript: '^6.0.3' },
};

describe('package.json is merged', () => {
  test('what npm init wrote: a module with scripts and dependencies, and all that was there', () => {
    const before = `{
  "name": "mine",
  "main": "index.js",
  "scripts": {
    "test": "echo \\"Error: no test specified\\" && exit 1"
  },
  "keywords": [],
  "type": "commonjs",
  "dependencies": {
    "astro-luid": "file:../astro-luid.tgz"
  }
}
`;
    expect(withNeeds(before, NEEDS)).toBe(`{
  "name": "mine",
  "main": "index.js",
  "scripts": {
    "test": "echo \\"Error: no test specified\\" && exit 1",
    "dev": "astro dev",
    "build": "astro build"
  },
  "keywords": [],
  "type": "module",
  "dependencies": {
    "astro-luid": "file:../astro-luid.tgz",
    "astro": "^7.3.4"
  },
  "devDependencies": {
    "typescript": "^6.0.3"
  }
}
`);
  });

  test('in its own indentation and line ends, with lists on one line as they are, and no newline at the end', () => {
    const before = '{\r\n\t"files": ["a", "b"],\r\n\t"scripts": { "dev": "mine" }\r\n}';
    expect(withNeeds(before, { dependencies: { 'astro-luid': '^1.0.0' } })).toBe(
      '{\r\n\t"files": ["a", "b"],\r\n\t"scripts": { "dev": "mine" },\r\n\t"dependencies": {\r\n\t\t"astro-luid": "^1.0.0"\r\n\t}\r\n}',
    );
  });

  test('a second time without effect, wherever a dependency is named', () => {
    const once = newPackageJson('My Site!', NEEDS);
    expect(JSON.parse(once)).toMatchObject({ name: 'my-site', private: true, type: 'module' });
    expect(withNeeds(once, NEEDS)).toBe(once);
    const peer = '{ "peerDependencies": { "astro-luid": "*" } }';
    expect(withNeeds(peer, { dependencies: { 'astro-luid': '^1.0.0' } })).toBe(peer);
  });

  test('an empty object, and one on a line', () => {
    expect(JSON.parse(withNeeds('{}', NEEDS))).toEqual(expect.objectContaining({ type: 'module' }));
    expect(JSON.parse(withNeeds('{ "name": "a", "dependencies": {} }', NEEDS))).toMatchObject({
      name: 'a',
      dependencies: NEEDS.dependencies,
    });
  });

  test.each(['', '[]', '{ "a": 1, }', 'null'])('%j is refused', (text) => {
    expect(() => withNeeds(text, NEEDS)).toThrow('package.json is not a JSON object');
  });
});
