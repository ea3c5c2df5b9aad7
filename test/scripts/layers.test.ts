import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadedWith, readImports } from '../../scripts/imports.mjs';
import { layersOf } from '../../scripts/layers.mjs';

const SOURCE = join(import.meta.dirname, '../../src');
const layerOf = layersOf();
const layers = (...modules: string[]) => modules.map((module) => layerOf(join(SOURCE, module)));

test('a module is in the lowest file that needs it', () => {
  expect(
    layers('shared/errors.ts', 'shared/process.ts', 'client/http/connection.ts', 'entries/keys/cache-key.ts'),
  ).toEqual(Array(4).fill('base/all'));
  expect(layers('client/http/send-request.ts', 'models/formats.ts')).toEqual(Array(2).fill('client/all'));
  expect(layers('models/field-types/index.ts', 'entries/query/filter.ts')).toEqual(
    Array(2).fill('space/all'),
  );
  expect(layers('astro/live/live-list.ts', 'entries/render-html.ts')).toEqual(['live/all', 'text/all']);
  expect(layers('images/srcset.ts', 'replica/sync/sync.ts', 'emulator/emulator.ts')).toEqual([
    'images/all',
    'replica/all',
    'emulator/all',
  ]);
});

test('what is loaded when it is used, or by one entry alone, is in no such file', () => {
  expect(
    layers('entries/sanitize/sanitize-text.ts', 'astro/integration/integration.ts', 'cli/main.ts'),
  ).toEqual(Array(3).fill(undefined));
});

test('a space and images load nothing of what sends requests', () => {
  const files = readImports(SOURCE);
  for (const entry of ['index.ts', 'images/index.ts']) {
    const loaded = [...loadedWith(files, entry).keys()].filter(
      (module) => layers(module)[0] === 'client/all',
    );
    expect(loaded).toEqual([]);
  }
});

test('the command line starts with two small files, and imports the rest with a command', () => {
  const loaded = [...loadedWith(readImports(SOURCE), 'cli/main.ts').keys()];
  const files = new Set(loaded.map((module) => layers(module)[0]).filter((file) => file !== undefined));
  expect([...files].sort()).toEqual(['base/all', 'messages/load']);
});
