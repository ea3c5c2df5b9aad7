import { describe, expect, it } from 'vitest';
import { type Allowed, NOTHING_ALLOWED } from './allowed-differences.ts';
import { compareEntries } from './compare-entries.ts';
import { IdOrEmpty, type Json, NOT_COMPARED } from './expected-entries.ts';

function differences(expected: Json, actual: Json, allowed: Partial<Allowed> = {}): string[] {
  const entries = (data: Json) => new Map([['1', data]]);
  const found = new Map([['1', { data: actual }]]);
  return compareEntries('notes', entries(expected), found, { ...NOTHING_ALLOWED, ...allowed }).differences;
}

const media = (id: number, alt = '') => ({ url: `http://x/assets/${id}/a.jpg`, alt });

describe('the comparison of entries', () => {
  it('finds nothing in equal entries', () => {
    const data = { _id: 1, at: new Date(5), list: [{ a: 1 }], author: { _id: 2, name: 'x' } };
    expect(differences(data, structuredClone(data))).toEqual([]);
  });

  it('names the path of each difference', () => {
    const author = (name: string) => ({ _id: 1, list: [{ author: { _id: 2, name } }] });
    expect(differences(author('x'), author('y'))).toEqual([
      'notes 1.list[0].author.name: expected "x", got "y"',
    ]);
    expect(differences({ _id: 1, at: new Date(5) }, { _id: 1, at: new Date(6) })).toHaveLength(1);
    expect(differences({ _id: 1, a: null }, { _id: 1 })).toEqual(['notes 1.a: expected null, got nothing']);
    expect(differences({ _id: 1 }, { _id: 1, a: 1 })).toEqual(['notes 1.a: expected nothing, got 1']);
  });

  it('finds entries that are missing and entries that should not exist', () => {
    const one = { data: { _id: 1 } };
    expect(
      compareEntries('notes', new Map([['1', { _id: 1 }]]), new Map(), NOTHING_ALLOWED).differences,
    ).toEqual(['notes 1: missing']);
    expect(compareEntries('notes', new Map(), new Map([['1', one]]), NOTHING_ALLOWED).differences).toEqual([
      'notes 1: should not exist',
    ]);
  });

  it('allows a difference of one media and no other', () => {
    const allowed = { media: new Set([9]) };
    expect(differences({ _id: 1, a: media(9, 'new') }, { _id: 1, a: media(9, 'old') }, allowed)).toEqual([]);
    expect(differences({ _id: 1, a: null }, { _id: 1, a: media(9) }, allowed)).toEqual([]);
    expect(differences({ _id: 1, a: media(8) }, { _id: 1, a: media(9) }, allowed)).toHaveLength(1);
    expect(differences({ _id: 1, a: media(8, 'new') }, { _id: 1, a: media(8, 'old') }, allowed)).toHaveLength(
      1,
    );
    expect(differences({ _id: 1, a: media(9) }, { _id: 1, a: 'x' }, allowed)).toHaveLength(1);
  });

  it('allows a difference of one item wherever it is embedded, and nothing around it', () => {
    const allowed = { items: new Set([2]) };
    const about = (name: string, title = 't') => ({ _id: 1, title, about: { _id: 2, name } });
    expect(differences(about('x'), about('y'), allowed)).toEqual([]);
    expect(differences(about('x'), { _id: 1, title: 't', about: null }, allowed)).toEqual([]);
    expect(differences(about('x'), about('y', 'other'), allowed)).toHaveLength(1);
  });

  it('allows only another status and time for an item with a draft', () => {
    const allowed = { status: new Set([1]) };
    const item = (_status: string, a: number) => ({ _id: 1, _status, _updated_at: new Date(a), a });
    expect(differences(item('published', 1), { ...item('published_draft', 2), a: 1 }, allowed)).toEqual([]);
    expect(differences(item('published', 1), item('published', 2), allowed)).toHaveLength(1);
  });

  it('reports whether an item was allowed to be missing', () => {
    const allowed = { ...NOTHING_ALLOWED, moved: new Set([1]) };
    const found = compareEntries('notes', new Map([['1', { _id: 1 }]]), new Map(), allowed);
    expect(found).toEqual({ differences: [], usedMoved: true });
  });

  it('accepts an id or an empty reference for invisible content, and skips undeclared fields', () => {
    const expected = { _id: 1, a: new IdOrEmpty(5), b: NOT_COMPARED };
    expect(differences(expected, { _id: 1, a: 5, b: 'anything' })).toEqual([]);
    expect(differences(expected, { _id: 1, a: null, b: 1 })).toEqual([]);
    expect(differences(expected, { _id: 1, a: 6, b: 1 })).toHaveLength(1);
    // Content that may still exist is embedded.
    const embedded = { _id: 1, a: { _id: 5 }, b: 1 };
    expect(differences(expected, embedded, { moved: new Set([5]) })).toEqual([]);
    expect(differences(expected, embedded, { moved: new Set([1]) })).toHaveLength(1);
    expect(differences(expected, { _id: 1, a: { _id: 6 }, b: 1 }, { moved: new Set([5]) })).toHaveLength(1);
  });
});
