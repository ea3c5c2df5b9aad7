import { expect, it } from 'vitest';
import { findDifferingPaths } from '../../../../src/emulator/studio/page/editor/model/differing-paths.ts';
import { FIELDS } from './studio-fields.ts';

const quote = (text: string) => ({ luid: 'quote', fields: { text } });

it.each<[string, object, object, string[]]>([
  ['nothing', { title: 'a', lead: '' }, { title: 'a' }, []],
  ['a field of the model', { title: 'a' }, { title: 'b' }, ['title']],
  [
    'a field of a group',
    { seo: { title: 'a', image: 1 } },
    { seo: { title: 'b', image: 1 } },
    ['seo', 'seo.title'],
  ],
  ['a group that was empty', {}, { seo: { title: 'b' } }, ['seo', 'seo.title']],
  [
    'a field of an entry',
    { dates: [{ note: 'a' }, { note: 'b' }] },
    { dates: [{ note: 'a' }, { note: 'c' }] },
    ['dates', 'dates[1].note'],
  ],
  ['an added entry', { dates: [{ note: 'a' }] }, { dates: [{ note: 'a' }, { note: 'b' }] }, ['dates']],
  [
    'a field of a block',
    { blocks: [quote('a')] },
    { blocks: [quote('b')] },
    ['blocks', 'blocks[0].fields.text'],
  ],
  [
    'a block of another set',
    { blocks: [quote('a')] },
    { blocks: [{ luid: 'data', fields: { value: 1 } }] },
    ['blocks'],
  ],
])('finds %s', (_name, before, after, expected) => {
  expect([...findDifferingPaths(FIELDS, before as never, after as never)]).toEqual(expected);
});
