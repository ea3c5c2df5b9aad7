import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { isSanitized, openSanitizer, type Sanitizer } from '../../../src/entries/sanitize/item-sanitizer.ts';
import { openTextSanitizer } from '../../../src/entries/sanitize/sanitize-text.ts';
import { field } from '../../../src/index.ts';
import type { FieldBase } from '../../../src/models/field-types/field-type.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { wire } from '../../models/content.ts';

const bad = '<p onclick="x" class="note">a</p>';
const good = '<p>a</p>';

const models = {
  thing: {
    title: field.text(),
    data: field.unknown(),
    html: field.flexibleText({ sanitize: true }),
    plain: field.flexibleText({ sanitize: false }),
    noted: field.flexibleText({ sanitize: { classes: ['note'] } }),
    markdown: field.flexibleText({ format: 'markdown', sanitize: true }),
    portable: field.flexibleText({ format: 'portable_html', sanitize: true }),
    other: field.reference('thing'),
    set: field.fieldSet({ text: field.flexibleText({ sanitize: true }), to: field.reference() }),
  },
} as const satisfies ModelMap;

const open = async (map: ModelMap = models, memoize?: boolean) =>
  (await openSanitizer(map, memoize === undefined ? undefined : { memoize })) as Sanitizer;

describe('an item', () => {
  test('is sanitized in the fields that have `sanitize`', async () => {
    const { sanitizeItem } = await open();
    const item = wire('thing', {
      title: bad,
      html: bad,
      plain: bad,
      noted: bad,
      markdown: 'a <b onclick="x">b</b>',
      portable: '<p onclick="x" data-a="b">a</p>',
      set: { text: bad },
    });
    expect(sanitizeItem(item)).toEqual({
      ...item,
      html: good,
      noted: '<p class="note">a</p>',
      markdown: 'a <b>b</b>\n',
      portable: '<p data-a="b">a</p>',
      set: { text: good },
    });
  });

  test('is sanitized in embedded content at any depth, and ids stay ids', async () => {
    const { sanitizeItem } = await open();
    const inner = wire('thing', { html: bad, other: wire('thing', { html: bad, other: 5 }, 3) }, 2);
    const sanitized = sanitizeItem(
      wire('thing', { other: inner, set: { text: null, to: inner } }),
    ) as WireContent & {
      other: { html: string; other: { html: string; other: number } };
      set: { to: { html: string } };
    };
    expect(sanitized.other.html).toBe(good);
    expect(sanitized.other.other).toMatchObject({ html: good, other: 5 });
    expect(sanitized.set.to.html).toBe(good);
  });

  test('keeps values of other fields that look like content', async () => {
    const { sanitizeItem } = await open();
    const item = wire('thing', {
      data: { _model: 'thing', html: bad },
      title: { _model: 'thing', html: bad },
    });
    expect(sanitizeItem(item)).toBe(item);
  });

  test('that needs no sanitizing is returned itself', async () => {
    const { sanitizeItem } = await open();
    for (const item of [
      wire('thing', { html: good, other: 7 }),
      wire('thing', { html: 5, title: {}, other: null }),
      wire('other', { html: bad }),
      wire('__proto__', { html: bad }),
      wire('constructor', { html: bad }),
    ]) {
      expect(sanitizeItem(item)).toBe(item);
    }
  });

  test('is sanitized in the same way with memoized results', async () => {
    const { sanitizeItem } = await open(models, true);
    for (let time = 0; time < 2; time++) {
      expect(sanitizeItem(wire('thing', { html: bad, noted: bad }))).toMatchObject({
        html: good,
        noted: '<p class="note">a</p>',
      });
    }
  });
});

describe('a sanitizer', () => {
  test('is opened only if a field has `sanitize`', async () => {
    expect(await openSanitizer({})).toBeUndefined();
    expect(await openSanitizer({ a: { b: field.flexibleText(), c: field.text() } })).toBeUndefined();
    expect(await openSanitizer({ a: { b: field.flexibleText({ sanitize: false }) } })).toBeUndefined();
    const deep = { a: { b: field.combination({ c: { d: field.repeat({ e: models.thing.html }) } }) } };
    expect(await openSanitizer(deep as ModelMap)).toBeDefined();
  });

  test('sanitizes Markdown of a field in a group', async () => {
    const deep = { a: { b: field.fieldSet({ c: models.thing.markdown }), d: models.thing.html } };
    const { sanitizeItem } = await open(deep as ModelMap);
    expect(sanitizeItem(wire('a', { b: { c: '[x](y:z)' } }))).toMatchObject({ b: { c: 'x\n' } });
  });

  test('keeps the classes of rendered HTML', async () => {
    const { sanitizeRendered, fingerprint } = await open();
    expect(sanitizeRendered('<p class="astro-code note" onclick="x">a</p>')).toBe(
      '<p class="astro-code note">a</p>',
    );
    expect(fingerprint).toBe((await openTextSanitizer(new Set(['html']))).fingerprint);
    expect(fingerprint).toContain('tagNames');
  });
});

test('a field is sanitized if it is a flexible text with `sanitize`', () => {
  expect(isSanitized(field.flexibleText({ sanitize: true }))).toBe(true);
  expect(isSanitized(field.flexibleText({ sanitize: { classes: [] } }))).toBe(true);
  expect(isSanitized(field.flexibleText({ sanitize: false }))).toBe(false);
  expect(isSanitized(field.flexibleText())).toBe(false);
  expect(isSanitized({ type: 'text', sanitize: true } as FieldBase)).toBe(false);
  expect(isSanitized(undefined)).toBe(false);
});

test('a sanitizer for HTML alone treats Markdown as HTML', async () => {
  const { sanitizerFor } = await openTextSanitizer(new Set(['html']));
  expect(sanitizerFor('markdown')('[a](x:y)<b onclick="z">')).toBe('[a](x:y)<b></b>');
  expect(sanitizerFor('html', ['note'])('<b class="note x" data-a="b">c</b>')).toBe('<b class="note">c</b>');
  expect(sanitizerFor('portable_html')('<b class="note" data-a="b">c</b>')).toBe('<b data-a="b">c</b>');
});
