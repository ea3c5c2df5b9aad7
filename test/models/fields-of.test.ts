import { expect, test } from 'vitest';
import { findUndeclaredFields } from '../../src/entries/problems/field-mismatch.ts';
import { field } from '../../src/index.ts';
import { declaredFields, fieldsOf } from '../../src/models/fields-of.ts';
import { wire } from './content.ts';

const models = { article: { title: field.text() } };

test('the fields of a declared model are found by its name', () => {
  expect(fieldsOf(models, 'article')).toBe(models.article);
  expect(declaredFields(models, 'article')).toBe(models.article);
});

test.each(['author', 'constructor', '__proto__', 'toString', 5, undefined])(
  'an undeclared model %s has no fields',
  (name) => {
    expect(fieldsOf(models, name)).toEqual({});
    expect(declaredFields(models, name)).toBeUndefined();
  },
);

test('a model named __proto__ can be declared', () => {
  const named = JSON.parse('{"__proto__":{"title":{"type":"text"}}}');
  expect(fieldsOf(named, '__proto__')).toEqual({ title: { type: 'text' } });
});

test.each(['constructor', '__proto__'])('content of an undeclared model %s has undeclared fields', (name) => {
  const found = findUndeclaredFields(models, [wire(name, { hasOwnProperty: 1, title: 'x' })]);
  expect([...found]).toEqual([[name, ['hasOwnProperty', 'title']]]);
});
