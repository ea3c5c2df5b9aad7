import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The test files in the last column of the table. A name without a folder is in the folder of the previous one. */
function namedTests(): string[] {
  const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
  const [table = ''] = /## What is promised[\s\S]*?(?=\n## )/.exec(text) ?? [];
  return [...table.matchAll(/^\|[^|]*\| (`[^|]*) \|$/gm)].flatMap(([, names = '']) => {
    let folder = 'test/security';
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
      const slash = name.lastIndexOf('/');
      if (slash >= 0) folder = name.slice(0, slash);
      return `${folder}/${name.slice(slash + 1)}`;
    });
  });
}

const fileOf = (name: string) =>
  [`${name}.test.ts`, `${name}.property.test.ts`, `${name}.slow.test.ts`].find((file) =>
    existsSync(join(ROOT, file)),
  );

test('every promise of SECURITY.md names tests that exist', () => {
  const names = namedTests();
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !fileOf(name))).toEqual([]);
});

test('every file of test/security proves a promise', () => {
  const named = new Set(namedTests().map(fileOf));
  const files = readdirSync(join(ROOT, 'test/security')).filter((file) => file.endsWith('.test.ts'));
  const all = new Set([...named, 'test/security/sanitize.property.test.ts']);
  expect(files.filter((file) => !all.has(`test/security/${file}`))).toEqual([]);
});
