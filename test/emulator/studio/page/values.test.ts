import { describe, expect, it } from 'vitest';
import { findLocalProblems } from '../../../../src/emulator/studio/page/editor/model/local-problems.ts';
import {
  getAt,
  keepProblems,
  parsePath,
  withParents,
} from '../../../../src/emulator/studio/page/editor/model/paths.ts';
import { valueText } from '../../../../src/emulator/studio/page/editor/model/value-text.ts';
import {
  findChanges,
  isSameValue,
  pickChanges,
  UnparsedJson,
} from '../../../../src/emulator/studio/page/editor/model/values.ts';
import { FIELDS, fieldNamed, studioField } from './studio-fields.ts';

const isSame = (luid: string, a: unknown, b: unknown) => isSameValue(fieldNamed(luid), a, b);
const changesOf = (before: object | undefined, after: object) =>
  pickChanges(FIELDS, before as never, after as never);

describe('comparing values', () => {
  it('takes all empty values of a field for the same', () => {
    expect(isSame('title', '', undefined)).toBe(true);
    expect(isSame('tags', [], null)).toBe(true);
    expect(isSame('seo', { title: '', image: null }, undefined)).toBe(true);
  });
  it('tells false from an empty value', () => {
    expect(isSame('visible', false, null)).toBe(false);
  });
  it('tells an entry with empty fields from no entry', () => {
    expect(isSame('dates', [{}], [])).toBe(false);
  });
  it('takes the same time in two zones for the same', () => {
    expect(isSame('starts_at', '2026-07-01T10:00:00+09:00', '2026-07-01T01:00:00Z')).toBe(true);
    expect(isSame('dates', [{ at: '2026-07-01T10:00+09:00' }], [{ at: '2026-07-01T01:00:00Z' }])).toBe(true);
    expect(isSame('title', '2026-07-01T10:00:00+09:00', '2026-07-01T01:00:00Z')).toBe(false);
  });
  it('compares unknown JSON exactly', () => {
    expect(isSame('extra', {}, null)).toBe(false);
    expect(isSame('extra', { a: [1, { b: null }] }, { a: [1, { b: null }] })).toBe(true);
    expect(isSame('extra', { a: null }, { a: '' })).toBe(false);
    expect(isSame('extra', [], null)).toBe(false);
  });
  it('notices a changed order and a changed set of blocks', () => {
    const quote = { luid: 'quote', fields: { text: 'a' } };
    const data = { luid: 'data', fields: { value: 1 } };
    expect(isSame('blocks', [quote, data], [data, quote])).toBe(false);
    expect(isSame('blocks', [quote], [{ luid: 'quote', fields: { text: 'a', other: null } }])).toBe(true);
  });
  it('compares blocks of a removed set as they are', () => {
    const removed = { luid: 'gone', fields: { a: 1 } };
    expect(isSame('blocks', [removed], [structuredClone(removed)])).toBe(true);
    expect(isSame('blocks', [removed], [{ luid: 'gone', fields: { a: 2 } }])).toBe(false);
  });
  it('does not take an inherited property for a value', () => {
    const field = studioField('constructor', { control: 'text' });
    expect(findChanges([field], {}, {})).toEqual([]);
    expect(findChanges([field], {}, { constructor: 'x' })).toEqual([field]);
  });
});

describe('what is sent', () => {
  it('is only what differs, with null for an emptied field', () => {
    const before = { title: 'One', lead: 'Text', tags: ['sea'], visible: true };
    expect(changesOf(before, { ...before, title: '', tags: [], visible: false })).toEqual({
      title: null,
      tags: null,
      visible: false,
    });
  });
  it('has no empty values inside groups, lists and blocks, but all entries', () => {
    expect(
      changesOf(undefined, {
        seo: { title: 'T', image: null },
        dates: [{}, { at: null, note: 'n' }],
        blocks: [{ luid: 'quote', fields: { text: '' } }],
      }),
    ).toEqual({ seo: { title: 'T' }, dates: [{}, { note: 'n' }], blocks: [{ luid: 'quote', fields: {} }] });
  });
  it('is nothing when nothing differs', () => {
    expect(changesOf({ title: 'One' }, { title: 'One', lead: '', seo: {} })).toEqual({});
  });
});

describe('paths', () => {
  it('consist of LUIDs and indexes', () => {
    expect(parsePath('blocks[2].fields.image')).toEqual(['blocks', 2, 'fields', 'image']);
    expect(parsePath('7.1')).toEqual(['7', '1']);
  });
  it('find a value at any depth, or nothing', () => {
    const values = { blocks: [{ luid: 'quote', fields: { text: 'x' } }] };
    expect(getAt(values, 'blocks[0].fields.text')).toBe('x');
    expect(getAt(values, 'blocks[1].fields.text')).toBeUndefined();
    expect(getAt(values, 'blocks.toString')).toBeUndefined();
  });
  it('have parents from the inside to the outside', () => {
    expect(withParents('blocks[2].fields.image')).toEqual([
      'blocks[2].fields.image',
      'blocks[2].fields',
      'blocks[2]',
      'blocks',
    ]);
  });
  it('keep the problems of values that did not change', () => {
    const problems = [
      { path: 'title', message: 'a' },
      { path: 'seo.title', message: 'b' },
    ];
    const before = { title: 'x', seo: { title: 'y' } };
    expect(keepProblems(problems, before, { ...before, seo: { title: 'z' } })).toEqual([problems[0]]);
    expect(keepProblems(problems, before, { ...before, lead: 'z' })).toBe(problems);
  });
});

describe('problems that the page finds itself', () => {
  it('are incomplete times and invalid JSON, at any depth', () => {
    const values = {
      starts_at: 'T10:00:00Z',
      dates: [{ at: '2026-01-01T00:00:00Z' }, { at: '2026-02-30T00:00:00Z' }],
      blocks: [{ luid: 'data', fields: { value: new UnparsedJson('{', 'Not valid JSON') } }],
    };
    expect(findLocalProblems(FIELDS, values)).toEqual([
      { path: 'starts_at', message: 'Enter a complete date.' },
      { path: 'dates[1].at', message: 'This date and time does not exist.' },
      { path: 'blocks[0].fields.value', message: 'Not valid JSON' },
    ]);
  });
});

describe('values as text', () => {
  const known = {
    linkedContents: [{ id: 7, title: 'Mori' } as never],
    linkedMedia: [{ id: 9, name: 'sea.jpg' } as never],
  };
  const text = (luid: string, value: unknown) => valueText(fieldNamed(luid), value, known);

  it('name what ids stand for', () => {
    expect(text('author', 7)).toBe('Mori (7)');
    expect(text('author', 8)).toBe('8');
    expect(text('cover', 9)).toBe('sea.jpg (9)');
  });
  it('show groups and lists on lines of their own', () => {
    expect(text('seo', { title: 'T', image: 9 })).toBe('title: T\nimage: sea.jpg (9)');
    expect(text('dates', [{ note: 'a' }, {}])).toBe('1. note: a\n2. (empty)');
    expect(text('blocks', [{ luid: 'quote', fields: { text: 'x' } }])).toBe('1. quote\n      text: x');
  });
  it('show values of another type than the field has', () => {
    expect(text('seo', 'old text')).toBe('old text');
    expect(text('visible', 'yes')).toBe('yes');
    expect(text('title', null)).toBe('(empty)');
  });
});
