import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ALL_DOCUMENTS, blocksOf, DOCUMENTS, textOf } from './documents.ts';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Without code, in which nothing is a link or a heading. */
const proseOf = (document: string) => textOf(document).replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The anchors that GitHub creates for headings. */
const anchorsOf = (document: string) =>
  [...proseOf(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(ALL_DOCUMENTS)('%s', (document) => {
  test('links to existing files and headings', () => {
    const links = [...proseOf(document).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link);
    const dead = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path ? join(dirname(document), path) : document;
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  test('has no two headings with the same anchor that it or others link to', () => {
    const anchors = anchorsOf(document);
    const twice = new Set(anchors.filter((anchor, at) => anchors.indexOf(anchor) < at));
    const linked = ALL_DOCUMENTS.flatMap((other) =>
      [...proseOf(other).matchAll(/\]\((?!https?:)([^)\s]*)#([^)\s]+)\)/g)]
        .filter(([, path = '']) => (path ? join(dirname(other), path) : other) === document)
        .map(([, , anchor = '']) => anchor),
    );
    expect(linked.filter((anchor) => twice.has(anchor))).toEqual([]);
  });
});

describe.each(DOCUMENTS)('%s', (document) => {
  test('names existing commands', () => {
    const lines = blocksOf(document)
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code }) => code.split('\n'));
    const named = lines.flatMap((line) => /^npm (?:run )?(start|test|[\w:-]+)(?= |$)/.exec(line)?.[1] ?? []);
    const unknown = named.filter(
      (name) => !['install', 'ci'].includes(name) && !Object.hasOwn(scripts, name),
    );
    expect(unknown).toEqual([]);
  });
});
