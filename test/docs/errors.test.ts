import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textOf } from './documents.ts';

const ROOT = join(import.meta.dirname, '../..');
const code = globSync(['src/*.ts', 'src/{models,client,images,replica,entries,space,astro}/**/*.ts'], {
  cwd: ROOT,
})
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n');

/** The parts of a message that are not somebody's own values, as the code spells them. */
const partsOf = (message: string) =>
  message
    .replace(/^\[GET\] …: (\d{3} …)?/, '')
    .split('…')
    .map((part) => part.trim().replace(/[:,.]$/, ''))
    .filter((part) => part.length > 2);

test('each message in docs/errors.md exists in the code', () => {
  const messages = [...textOf('docs/errors.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
    ([, message = '']) => message,
  );
  expect(messages.length).toBeGreaterThan(30);
  const unknown = messages.filter((message) => !partsOf(message).every((part) => code.includes(part)));
  expect(unknown).toEqual([]);
});
