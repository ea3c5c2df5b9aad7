import { describe, expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import { openTextCleaner } from '../../../src/entries/sanitize/clean-text.ts';
import { isCleaned, openSanitizer, type Sanitizer } from '../../../src/entries/sanitize/sanitize.ts';
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

const open = async (map: ModelMap = models, remember?: boolean) =>
  (await openSanitizer(map, remember === undefined ? undefined : { remember })) as Sanitizer;

describe('an item', () => {
  test('has clean texts where its fields ask for it', async () => {
    const { clean } = await open();
    const item = wire('thing', {
      title: bad,
      html: bad,
      plain: bad,
      noted: bad,
      markdown: 'a <b onclick="x">b</b>',
      portable: '<p onclick="x" data-a="b">a</p>',
      set: { text: bad },
    });
    expect(clean(item)).toEqual({
      ...item,
      html: good,
      noted: '<p class="note">a</p>',
      markdown: 'a <b>b</b>\n',
      portable: '<p data-a="b">a</p>',
      set: { text: good },
    });
  });

  test('has clean content in it, however deep, and ids stay ids', async () => {
    const { clean } = await open();
    const inner = wire('thing', { html: bad, other: wire('thing', { html: bad, other: 5 }, 3) }, 2);
    const cleaned = clean(wire('thing', { other: inner, set: { text: null, to: inner } })) as WireContent & {
      other: { html: string; other: { html: string; other: number } };
      set: { to: { html: string } };
    };
    expect(cleaned.other.html).toBe(good);
    expect(cleaned.other.other).toMatchObject({ html: good, other: 5 });
    expect(cleaned.set.to.html).toBe(good);
  });

  test('keeps what only looks like content', async () => {
    const { clean } = await open();
    const item = wire('thing', {
      data: { _model: 'thing', html: bad },
      title: { _model: 'thing', html: bad },
    });
    expect(clean(item)).toBe(item);
  });

  test('without anything to clean is given back itself', async () => {
    const { clean } = await open();
    for (const item of [
      wire('thing', { html: good, other: 7 }),
      wire('thing', { html: 5, title: {}, other: null }),
      wire('other', { html: bad }),
      wire('__proto__', { html: bad }),
      wire('constructor', { html: bad }),
    ]) {
      expect(clean(item)).toBe(item);
    }
  });

  test('is cleaned in the same way where results are kept', async () => {
    const { clean } = await open(models, true);
    for (let time = 0; time < 2; time++) {
      expect(clean(wire('thing', { html: bad, noted: bad }))).toMatchObject({
        html: good,
        noted: '<p class="note">a</p>',
      });
    }
  });
});

describe('a sanitizer', () => {
  test('is opened only where a field asks for it', async () => {
    expect(await openSanitizer({})).toBeUndefined();
    expect(await openSanitizer({ a: { b: field.flexibleText(), c: field.text() } })).toBeUndefined();
    expect(await openSanitizer({ a: { b: field.flexibleText({ sanitize: false }) } })).toBeUndefined();
    const deep = { a: { b: field.combination({ c: { d: field.repeat({ e: models.thing.html }) } }) } };
    expect(await openSanitizer(deep as ModelMap)).toBeDefined();
  });

  test('cleans Markdown where only a group asks for it', async () => {
    const deep = { a: { b: field.fieldSet({ c: models.thing.markdown }), d: models.thing.html } };
    const { clean } = await open(deep as ModelMap);
    expect(clean(wire('a', { b: { c: '[x](y:z)' } }))).toMatchObject({ b: { c: 'x\n' } });
  });

  test('keeps the classes of what a text was rendered to', async () => {
    const { cleanRendered, stamp } = await open();
    expect(cleanRendered('<p class="astro-code note" onclick="x">a</p>')).toBe(
      '<p class="astro-code note">a</p>',
    );
    expect(stamp).toBe((await openTextCleaner(new Set(['html']))).stamp);
    expect(stamp).toContain('tagNames');
  });
});

test('a field asks for clean texts where it is a flexible text with `sanitize`', () => {
  expect(isCleaned(field.flexibleText({ sanitize: true }))).toBe(true);
  expect(isCleaned(field.flexibleText({ sanitize: { classes: [] } }))).toBe(true);
  expect(isCleaned(field.flexibleText({ sanitize: false }))).toBe(false);
  expect(isCleaned(field.flexibleText())).toBe(false);
  expect(isCleaned({ type: 'text', sanitize: true } as FieldBase)).toBe(false);
  expect(isCleaned(undefined)).toBe(false);
});

test('a cleaner for HTML alone takes Markdown for HTML', async () => {
  const { cleanerFor } = await openTextCleaner(new Set(['html']));
  expect(cleanerFor('markdown')('[a](x:y)<b onclick="z">')).toBe('[a](x:y)<b></b>');
  expect(cleanerFor('html', ['note'])('<b class="note x" data-a="b">c</b>')).toBe('<b class="note">c</b>');
  expect(cleanerFor('portable_html')('<b class="note" data-a="b">c</b>')).toBe('<b data-a="b">c</b>');
});
