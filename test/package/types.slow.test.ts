import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { ROOT } from './pack.ts';

const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, { types?: string } | string>;
};
// The components are .astro files, which `astro check` knows: see example-live.slow.test.ts.
const declarations = Object.entries(exports).flatMap(([name, target]) =>
  typeof target === 'object' && target.types && name !== './components' ? [join(ROOT, target.types)] : [],
);

describe.each(['bundler', 'nodenext'] as const)('with moduleResolution %s and skipLibCheck false', (mode) => {
  test('the declarations of every entry point are valid', () => {
    const isBundler = mode === 'bundler';
    const program = ts.createProgram(declarations, {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      types: ['node'],
      target: ts.ScriptTarget.ESNext,
      module: isBundler ? ts.ModuleKind.ESNext : ts.ModuleKind.NodeNext,
      moduleResolution: isBundler ? ts.ModuleResolutionKind.Bundler : ts.ModuleResolutionKind.NodeNext,
    });
    const own = program
      .getSourceFiles()
      .filter(({ fileName }) => !relative(join(ROOT, 'dist'), fileName).startsWith('..'));
    expect(own.length).toBeGreaterThan(declarations.length);
    const problems = own.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]);
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });
});
