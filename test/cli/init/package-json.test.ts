import { describe, expect, test } from 'vitest';
import { addDependencies, newPackageJson } from '../../../src/cli/init/edit/package-json.ts';

const NEEDS = {
  isModule: true,
  scripts: { dev: 'astro dev', build: 'astro build' },
  dependencies: { astro: '^7.3.4', 'astro-luid': '^1.0.0' },
  devDependencies: { typescript: '^6.0.3' },
};

describe('package.json is merged', () => {
  test('adds type, scripts and dependencies to the output of npm init, and keeps the rest', () => {
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
    expect(addDependencies(before, NEEDS)).toBe(`{
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

  test('preserves indentation, line ends and a missing final newline', () => {
    const before = '{\r\n\t"scripts": {\r\n\t\t"dev": "mine"\r\n\t}\r\n}';
    expect(addDependencies(before, { dependencies: { 'astro-luid': '^1.0.0' } })).toBe(
      '{\r\n\t"scripts": {\r\n\t\t"dev": "mine"\r\n\t},\r\n\t"dependencies": {\r\n\t\t"astro-luid": "^1.0.0"\r\n\t}\r\n}',
    );
  });

  test('changes nothing if the entries exist, in any group of dependencies', () => {
    const once = newPackageJson('My Site!', NEEDS);
    expect(JSON.parse(once)).toMatchObject({ name: 'my-site', private: true, type: 'module' });
    expect(addDependencies(once, NEEDS)).toBe(once);
    const peer = '{ "peerDependencies": { "astro-luid": "*" } }';
    expect(addDependencies(peer, { dependencies: { 'astro-luid': '^1.0.0' } })).toBe(peer);
  });

  test('extends an empty object, and one on a single line', () => {
    expect(JSON.parse(addDependencies('{}', NEEDS))).toEqual(expect.objectContaining({ type: 'module' }));
    expect(JSON.parse(addDependencies('{ "name": "a", "dependencies": {} }', NEEDS))).toMatchObject({
      name: 'a',
      dependencies: NEEDS.dependencies,
    });
  });

  test.each(['\u2028', '\u2029'])('keeps the line separator %j in a string', (separator) => {
    const before = `{\n  "description": "a${separator}b",\n  "dependencies": { "a": "1" }\n}`;
    const after = addDependencies(before, NEEDS);
    expect(after).toContain(`"description": "a${separator}b"`);
    expect(JSON.parse(after)).toMatchObject({ dependencies: { a: '1', ...NEEDS.dependencies } });
  });

  test.each(['', '[]', '{ "a": 1, }', 'null'])('rejects %j', (text) => {
    expect(() => addDependencies(text, NEEDS)).toThrow('package.json is not a JSON object');
  });
});
