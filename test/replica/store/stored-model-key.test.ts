import { expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { storedModelKey } from '../../../src/replica/store/manifest/stored-models.ts';

const article = { title: field.text({ title: true }), author: field.reference('author') };
const keyOf = (fields: ModelMap[string]) => storedModelKey({ article: fields }, 'article');
const body = field.flexibleText({ format: 'markdown' });

test('the key is the LUID and a hash', () => {
  expect(keyOf(article)).toMatch(/^article@[0-9a-z]{16}$/);
});

test('it does not depend on the order of fields, nor on fields without a format or a reference', () => {
  expect(keyOf({ ...article, more: field.text() })).toBe(keyOf(article));
  const lead = field.flexibleText({ format: 'text' });
  const to = field.reference('article');
  expect(keyOf({ body, lead, to, ...article })).toBe(keyOf({ ...article, to, lead, body }));
});

test('it depends on formats and references', () => {
  const keys = [
    keyOf({}),
    keyOf({ body }),
    keyOf({ body: field.flexibleText({ format: 'text' }) }),
    keyOf({ author: field.reference('author') }),
    keyOf({ author: field.reference('article') }),
    keyOf({ author: field.reference(['author', 'article']) }),
    keyOf({ author: field.reference() }),
    keyOf({ by: field.reference('author') }),
    keyOf({ rows: field.repeat({ author: field.reference('author') }) }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test('an undeclared model has the key of a model without fields', () => {
  expect(storedModelKey({}, 'article')).toBe(keyOf({}));
});
