import { expect, test } from 'vitest';
import { dataFingerprint } from '../../../src/astro/collection/make/data-fingerprint.ts';
import { field } from '../../../src/index.ts';

const models = { article: { title: field.text() } };
const plan = { dataFingerprint: 'plan' };
const of = (
  space: Parameters<typeof dataFingerprint>[0],
  ...[options = plan, images, sanitizer]: Partial<Tail<Parameters<typeof dataFingerprint>>>
) => dataFingerprint(space, options, images, sanitizer);
type Tail<T> = T extends [unknown, ...infer R] ? R : never;

const space = { models, settings: {} };

test('everything that data and HTML are made with is part of the fingerprint', () => {
  const all = [
    of(space),
    of({ ...space, models: { article: { title: field.multiline() } } }),
    of({ ...space, settings: { strict: true } }),
    of(space, { dataFingerprint: 'other' }),
    of(space, plan, { fingerprint: 'images' }),
    of(space, plan, { fingerprint: 'other images' }),
    of(space, plan, undefined, { fingerprint: 'rules' }),
    of(space, plan, undefined, { fingerprint: 'other rules' }),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test('equal options have an equal fingerprint', () => {
  expect(of({ models: { article: { title: field.text() } }, settings: {} })).toBe(of(space));
});
