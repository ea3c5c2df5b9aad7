import { expect, test } from 'vitest';
import { commandMode } from '../../../src/astro/integration/command-mode.ts';

const BIN = '/site/node_modules/.bin/astro';
const FILE = '/site/node_modules/astro/bin/astro.mjs';

test('without --mode, it is the default of the command', () => {
  expect(commandMode('dev', ['node', BIN, 'dev'])).toBe('development');
  expect(commandMode('build', ['node', BIN, 'build', '--verbose'])).toBe('production');
});

test.each([BIN, FILE])('--mode of %s is the mode', (program) => {
  expect(commandMode('build', ['node', program, 'build', '--mode', 'staging'])).toBe('staging');
  expect(commandMode('build', ['node', program, 'build', '--force', '--mode=staging'])).toBe('staging');
  expect(commandMode('dev', ['node', program, '--mode', 'staging', 'dev'])).toBe('staging');
});

test('--mode without a value, or after --, is not one', () => {
  expect(commandMode('build', ['node', BIN, 'build', '--mode'])).toBe('production');
  expect(commandMode('build', ['node', BIN, 'build', '--', '--mode', 'staging'])).toBe('production');
});

test('astro sync has none, and other programs may mean something else by it', () => {
  expect(commandMode('sync', ['node', BIN, 'sync', '--mode', 'staging'])).toBe('production');
  expect(commandMode('build', ['node', '/site/build.mjs', '--mode', 'fast'])).toBe('production');
});
