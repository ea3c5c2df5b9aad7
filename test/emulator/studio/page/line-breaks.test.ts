import { expect, it } from 'vitest';
import { fromFormText, toFormText } from '../../../../src/emulator/studio/page/editor/model/line-breaks.ts';

it.each([
  ['a new line in an empty text', '', 'a\nb', 'a\r\nb'],
  ['a new line in a text with CR LF', 'a\r\nb', 'a\nb\nc', 'a\r\nb\r\nc'],
  ['a new line in a text with LF', 'a\nb', 'a\nb\nc', 'a\nb\nc'],
  ['text between different line breaks', 'a\r\nb\nc\rd', 'a\nb!\nc\nd', 'a\r\nb!\nc\rd'],
  ['a removed line', 'a\r\nb\r\nc', 'a\nc', 'a\r\nc'],
  ['a repeated character', 'aa\r\naa', 'aa\naaa', 'aa\r\naaa'],
  ['everything replaced', 'a\r\nb', 'x\ny', 'x\r\ny'],
  ['everything removed', 'a\r\nb', '', ''],
  ['an emoji', '🚢\r\n', '🚢🚢\n', '🚢🚢\r\n'],
])('keeps and adds line breaks: %s', (_name, before, entered, expected) => {
  expect(fromFormText(before, entered, '\r\n')).toBe(expected);
});

it('shows every line break as LF', () => {
  expect(toFormText('a\r\nb\rc\nd')).toBe('a\nb\nc\nd');
});
