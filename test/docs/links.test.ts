import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ALL_DOCUMENTS, blocksOf, DOCUMENTS, textOf } from './documents.ts';
import { anchorsIn, deadLinks, linksIn, prose } from './links.ts';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

describe.each(ALL_DOCUMENTS)('%s', (document) => {
  test('links to existing files and headings', () => {
    expect(deadLinks(ROOT, document)).toEqual([]);
  });

  test('has no two headings with the same anchor that it or others link to', () => {
    const anchors = anchorsIn(prose(textOf(document)));
    const twice = new Set(anchors.filter((anchor, at) => anchors.indexOf(anchor) < at));
    const linked = ALL_DOCUMENTS.flatMap((other) =>
      linksIn(prose(textOf(other)))
        .filter(({ path }) => (path ? join(dirname(other), path) : other) === document)
        .map(({ anchor }) => anchor),
    );
    expect(linked.filter((anchor) => anchor && twice.has(anchor))).toEqual([]);
  });
});

describe.each(DOCUMENTS)('%s', (document) => {
  test('names existing commands', () => {
    const lines = blocksOf(document)
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code }) => code.split('\n'));
    const named = lines.flatMap((line) => /^npm (?:run )?(start|test|[\w:-]+)(?= |$)/.exec(line)?.[1] ?? []);
    const unknown = named.filter(
      (name) => !['init', 'install', 'ci'].includes(name) && !Object.hasOwn(scripts, name),
    );
    expect(unknown).toEqual([]);
  });
});
