import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

/** The packages that the project is made with, and where each has to be used. */
const PACKAGES = {
  astro: { in: 'peerDependencies', usedBy: ['src/**/*.astro'] },
  zod: { in: 'dependencies', usedBy: ['src/**/*.ts'] },
  'p-limit': { in: 'dependencies', usedBy: ['src/**/*.ts'] },
  'p-retry': { in: 'dependencies', usedBy: ['src/**/*.ts'] },
  vitest: { in: 'devDependencies', usedBy: ['test/**/*.test.ts'] },
} as const;

/** The modules that a file imports, except for types. Strings that contain code do not count. */
function importsOf(file: string): string[] {
  // The code of an .astro file is between two lines of dashes.
  const code = file.endsWith('.astro') ? (read(file).split(/^---$/m)[1] ?? '') : read(file);
  return ts
    .createSourceFile(file, code, ts.ScriptTarget.Latest)
    .statements.flatMap((statement) =>
      ts.isImportDeclaration(statement) &&
      ts.isStringLiteral(statement.moduleSpecifier) &&
      statement.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword
        ? [statement.moduleSpecifier.text]
        : [],
    );
}

describe.each(Object.entries(PACKAGES))('%s', (name, { in: group, usedBy }) => {
  test(`is one of the ${group}`, () => {
    expect(Object.keys(manifest[group])).toContain(name);
  });

  test('is used', () => {
    const isUser = (file: string) => importsOf(file).some((module) => module.split(/[/:]/)[0] === name);
    expect(globSync([...usedBy], { cwd: ROOT }).some(isUser)).toBe(true);
  });
});

test('astro is also installed here, in a version that the package supports', () => {
  expect(manifest.devDependencies.astro).toMatch(/^7\./);
  expect(manifest.peerDependencies.astro).toContain('^7.');
});

test('p-retry is what retries requests, of content and of assets', () => {
  for (const file of ['src/client/http/send-request.ts', 'src/images/assets/asset-reader.ts']) {
    expect(importsOf(file)).toContain('p-retry');
  }
});

test('p-limit is what limits how many requests are sent in parallel', () => {
  expect(importsOf('src/client/http/limits/rate-limiter.ts')).toContain('p-limit');
});

test('@astrojs/check is installed, and checks the playground and the examples', () => {
  expect(Object.keys(manifest.devDependencies)).toContain('@astrojs/check');
  const checks = read('scripts/checks.mjs');
  for (const site of ['playground', 'examples/live', 'examples/minimal']) {
    expect(checks).toContain(`checkSite('${site}')`);
  }
  // `astro check` is a command of @astrojs/check.
  expect(checks).toContain("program('astro', args,");
  expect(checks).toContain("const args = ['check',");
});
