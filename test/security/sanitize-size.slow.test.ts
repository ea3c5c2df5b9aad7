import { describe, expect, test } from 'vitest';
import { defineSpace, field } from '../../src/index.ts';
import { findActiveContent } from './active-content.ts';
import { contentOf, createLoaderContext } from './loader-context.ts';
import { connectionTo, serveItems } from './stub-service.ts';

const models = {
  thing: {
    html: field.flexibleText({ sanitize: true }),
    markdown: field.flexibleText({ format: 'markdown', sanitize: true }),
  },
} as const;

/** The stored data of an item with these fields. */
async function loadData(fields: Record<string, unknown>) {
  const { context, entries } = createLoaderContext();
  await defineSpace({ ...connectionTo(serveItems([contentOf(1, 'thing', fields)])), models })
    .loader('thing', { body: 'html' })
    .load(context);
  return entries()[0]?.data;
}

describe('huge or deeply nested input is sanitized in bounded time', () => {
  test.each([
    ['<p>a</p>', 3_000_000],
    ['<b>', 3_000_000],
    ['<!--', 3_000_000],
    ['<p onclick="', 3_000_000],
    ['<', 1_000_000],
    ['<h2>', 1_000_000],
    ['<table>', 1_000_000],
  ])('%j for %i characters', async (unit, length) => {
    const html = unit.repeat(length / unit.length);
    const data = await loadData({ html });
    expect(findActiveContent(String(data?.html).slice(0, 100_000))).toEqual([]);
  });

  test('unclosed formatting, which a parser would repeat in every paragraph', async () => {
    const open = Array.from({ length: 400 }, (_, index) => `<b class=${index}>`).join('');
    const html = `${open}${'<p onclick=x>a'.repeat(100_000)}`;
    const data = await loadData({ html });
    expect(data?.html).toBe('a'.repeat(100_000));
  });

  test.each(['[a](javascript:x) ', '<b>', '*_', '![', '> ', '`', '|a|\n', '[a]: javascript:x\n'])(
    'a long Markdown text of %j',
    async (unit) => {
      const markdown = `<b onclick=x>\n\n${unit.repeat(1_000_000 / unit.length)}`;
      const data = await loadData({ markdown });
      expect(String(data?.markdown)).not.toMatch(/<b onclick|\]\(javascript|\]: javascript/);
    },
  );
});
