import { expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { headsScope } from '../../../src/replica/read/heads-scope.ts';

const author = { name: field.text() };
const article = { title: field.text(), author: field.reference('author') };
const page = { title: field.text(), to: field.reference() };

test('the heads of typed references cover the declared models', () => {
  const models = { author, article };
  expect(headsScope(models, undefined).newestOf).toEqual(['author', 'article']);
});

test('with an untyped reference the heads of the main language cover every model of the space', () => {
  const models = { author, article, page };
  expect(headsScope(models, undefined).newestOf).toBe('all');
  expect(headsScope(models, 'en').newestOf).toEqual(['author', 'article', 'page']);
});

test('the heads have the models of the first group in their own formats', () => {
  const html = { body: field.flexibleText() };
  const markdown = { body: field.flexibleText({ format: 'markdown' }) };
  expect(headsScope({ html, markdown, author }, undefined).models).toEqual(['html', 'author']);
});

test('without models the heads cover nothing', () => {
  expect(headsScope({}, undefined)).toEqual({ models: [], newestOf: [] });
});
