import { describe, expect, test } from 'vitest';
import type { BuiltPages } from '../../../src/cli/audit-build/built-pages.ts';
import { findMasks } from '../../../src/cli/audit-build/masks.ts';

const pageOf = (html: string, path = '/a/') => ({ path, component: 'a.astro', key: 'k', html });
const pagesOf = (...html: string[]): BuiltPages =>
  new Map(html.map((one, index) => [`/${index}/`, pageOf(one, `/${index}/`)]));

describe('what differs between two builds of the same content', () => {
  test('is ignored in a third build, whatever it is there', () => {
    const one = '<p>Built at 10:05:01 <b data-id="0.123">now</b></p><i>text</i>';
    const other = '<p>Built at 10:05:09 <b data-id="0.129">now</b></p><i>text</i>';
    const { normalize, masked } = findMasks(pagesOf(one), pagesOf(other));
    const third = '<p>Built at 11:59:59 <b data-id="7.5">now</b></p><i>text</i>';
    expect(normalize(pageOf(third))).toBe(normalize(pageOf(one)));
    expect([...masked]).toEqual([['/0/', '10:05:01']]);
  });

  test('does not hide a change beside it, or of another element', () => {
    const page = (time: string, text = 'text', at = 'at', tag = 'i') =>
      pageOf(`<p>Built ${at} ${time}</p><${tag}>${text}</${tag}>`);
    const { normalize } = findMasks(pagesOf(page('1').html), pagesOf(page('2').html));
    expect(normalize(page('3'))).toBe(normalize(page('1')));
    for (const other of [page('1', 'other'), page('1', 'text', 'on'), page('1', 'text', 'at', 'b')])
      expect(normalize(other)).not.toBe(normalize(page('1')));
  });

  test('does not hide a word before the same tag', () => {
    const page = (time: string, price: string) => pageOf(`<p>Built at ${time}</p><p>Price: ${price}</p>`);
    const { normalize } = findMasks(pagesOf(page('1', '5').html), pagesOf(page('2', '5').html));
    expect(normalize(page('3', '6'))).not.toBe(normalize(page('3', '5')));
  });

  test('is found at the new place of something that content moved', () => {
    const page = (time: string, items: string) => pageOf(`<ul>${items}</ul><p>At ${time}</p>`);
    const { normalize } = findMasks(pagesOf(page('1', '').html), pagesOf(page('2', '').html));
    expect(normalize(page('3', '<li>a</li>'))).toBe(normalize(page('4', '<li>a</li>')));
    expect(normalize(page('3', '<li>a</li>'))).not.toBe(normalize(page('3', '<li>b</li>')));
  });

  test('makes a page incomparable if it has another number of parts', () => {
    const { incomparable } = findMasks(pagesOf('<p>a</p>', 'b'), pagesOf('<p>a</p><p>a</p>', 'b'));
    expect([...incomparable]).toEqual(['/0/']);
  });
});
