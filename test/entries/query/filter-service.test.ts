import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { createEmulator } from '../../../src/emulator/index.ts';
import { compileFilter } from '../../../src/entries/query/filter.ts';
import { models, seed } from '../../client/sample-service.ts';
import { itemsWithoutLanguage } from '../test-language-items.ts';

/** What the service says to the same question, and what the replica's items say. */
async function both(where: Record<string, Record<string, unknown>>) {
  const service = createEmulator(seed);
  const ask = async (query: string) => {
    const response = await service.fetch(`${service.baseUrl}/contents?depth=0&order=_id&${query}`, {
      headers: { 'X-SERVICE-API-KEY': 'published' },
    });
    return (await response.json()) as { data: WireContent[] };
  };
  const items = new Map((await ask('')).data.map((item) => [item._id, item]));
  const text = (operand: unknown) => (operand instanceof Date ? operand.toISOString() : String(operand));
  const parameters = Object.entries(where).flatMap(([path, operators]) =>
    Object.entries(operators).map(([operator, operand]) => [`${path}[${operator}]`, text(operand)]),
  );
  const service_ = (await ask(`model=article&${new URLSearchParams(parameters)}`)).data.map(({ _id }) => _id);
  const filter = compileFilter(models, 'article', where);
  const languageItems = itemsWithoutLanguage(...items.values());
  const ours = [...items.values()]
    .filter((item) => item._model === 'article' && filter(item, languageItems))
    .map(({ _id }) => _id);
  return { service: service_, ours };
}

describe('§4.1 a filter matches the same items as at the service', () => {
  test.each([
    { title: { eq: 'Tea' } },
    { title: { in: ['Tea', 'Harbour'] } },
    { title: { contains: 'BOUR' } },
    { title: { contains: 'a,e' } },
    { lead: { eq: '' } },
    { body: { contains: 'white' } },
    { body: { contains: 'h2' } },
    { featured: { eq: true } },
    { featured: { eq: false } },
    { category: { in: ['event'] } },
    { tags: { has: 'hill' } },
    { starts_at: { gte: new Date('2026-05-01T00:00:00Z') } },
    { starts_at: { gt: '2026-05-01T09:00:00+09:00' } },
    { starts_at: { lte: '2026-05-01T09:00:00+09:00' } },
    { author: { eq: 1 } },
    { author: { in: [1, 2] } },
    { 'author.name': { contains: 'mor' } },
    { 'related.note': { eq: 'next' } },
    { 'related.article': { eq: 12 } },
    { 'seo.description': { contains: 'boats' } },
    { 'seo.description': { eq: '' } },
    { _id: { in: [12, 13] } },
    { _created_at: { lt: '2026-03-04T00:00:00Z' } },
    { _status: { eq: 'published_draft' } },
    { _title: { contains: 'tea' } },
    { title: { eq: 'Tea' }, featured: { eq: true } },
  ] as Record<string, Record<string, unknown>>[])('%j', async (where) => {
    const { service, ours } = await both(where);
    expect(ours).toEqual(service);
  });
});

describe('a filter is rejected', () => {
  test.each([
    [
      { titel: { eq: 'a' } },
      "where names 'titel', which is not a field of article\n  → Did you mean 'title'?",
    ],
    [{ _titel: { eq: 'a' } }, "Did you mean '_title'?"],
    [{ 'author.nmae': { eq: 'a' } }, "Did you mean 'author.name'?"],
    [{ 'author.titel': { eq: 'a' } }, "names 'author.titel', which is not a field"],
    [{ 'sections.text': { eq: 'a' } }, "names 'sections.text', which is not a field"],
    [{ body: { eq: 'a' } }, 'is not allowed for this type'],
    [{ cover: { eq: 1 } }, 'is not allowed for this type'],
    [{ 'related.note': { contains: 'a' } }, 'is not allowed for this type'],
    [{ title: { like: 'a' } }, 'title[like] is not an operator\n  → title allows eq, in, contains'],
    [{ title: { contain: 'a' } }, "Did you mean 'contains'?"],
    [
      { starts_at: { gt: 'soon' } },
      "starts_at[gt] must be a Date or an ISO 8601 string with Z or an offset, got 'soon'",
    ],
    [{ title: { in: 'a' } }, "title[in] must be a list, each a string, got 'a'"],
    [{ title: { eq: 5 } }, 'title[eq] must be a string, got 5'],
    [{ featured: { eq: 'true' } }, "featured[eq] must be true or false, got 'true'"],
    [{ author: { eq: '1' } }, "author[eq] must be a content id (a number), got '1'"],
    [{ title: { contains: 5 } }, 'title[contains] must be a string or a list of strings, got 5'],
    [{ constructor: { eq: 'a' } }, "names 'constructor', which is not a field"],
    [
      { category: 'event' },
      "where: category must be an object with an operator, got 'event'\n  → Write { eq: 'event' }. category allows eq, in",
    ],
    [{ category: ['event', 'news'] }, "Write { in: ['event', 'news'] }. category allows eq, in"],
    [{ tags: 'hill' }, "Write { has: 'hill' }. tags allows has"],
    [{ body: 'white' }, "Write { contains: 'white' }. body allows contains"],
    [{ starts_at: new Date('2026-01-01') }, 'Write { gte: date }. starts_at allows lt, lte, gt, gte'],
    [{ featured: true }, 'Write { eq: true }. featured allows eq'],
    [
      { title: null },
      'title must be an object with an operator, got null\n  → title allows eq, in, contains',
    ],
    [{ cover: 'x' }, 'cover cannot be filtered by'],
  ])('%j', (where: object, message) => {
    expect(() => compileFilter(models, 'article', where as never)).toThrow(message);
  });
});
