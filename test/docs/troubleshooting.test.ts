import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tablesIn, textOf } from './documents.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = globSync('src/**/*.{ts,astro}', { cwd: ROOT }).map((file) =>
  readFileSync(join(ROOT, file), 'utf8'),
);
const PAGE = textOf('docs/start/troubleshooting.md');

/** Messages in the first column; `…` is what varies. */
const messages = tablesIn(PAGE)
  .flat()
  .flatMap(([cell = '']) => [...cell.matchAll(/`([^`]*…[^`]*)`/g)].map(([, message = '']) => message))
  .filter((message) => !/^(?:\?secret|\[GET\] …: \d)/.test(message));

test('every message of the page is one of the package, and explained in the reference', () => {
  expect(messages.length).toBeGreaterThan(12);
  const errors = textOf('docs/reference/errors.md') + textOf('docs/reference/integration.md');
  const partsOf = (message: string) =>
    message
      .replace('[GET] …:', '')
      .split('…')
      .map((part) => part.trim())
      .filter((part) => part.length > 3);
  for (const message of messages) {
    const parts = partsOf(message);
    expect(parts.length, message).toBeGreaterThan(0);
    expect(
      SOURCES.some((source) => parts.every((part) => source.includes(part))),
      message,
    ).toBe(true);
    expect(
      errors.split('\n').some((line) => parts.every((part) => line.includes(part))),
      message,
    ).toBe(true);
  }
});
