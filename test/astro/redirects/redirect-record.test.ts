import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { REDIRECT_FILE, readRecords, writeRecord } from '../../../src/astro/redirects/redirect-file.ts';
import {
  type RedirectRecord,
  redirectsOf,
  updateRecord,
} from '../../../src/astro/redirects/redirect-record.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const current = (paths: Record<string, string>, route = '/a/[id]') => ({
  route,
  keep: 10 * DAY,
  paths: new Map(Object.entries(paths)),
});

/** The redirects after these states of the content, one day apart. */
function redirectsAfter(...states: Record<string, string>[]) {
  let record: RedirectRecord | undefined;
  for (const [day, state] of states.entries()) {
    record = updateRecord(record ? [record] : [], [current(state)], START + day * DAY);
  }
  return redirectsOf(record as RedirectRecord).map(({ from, to }) => `${from} → ${to}`);
}

describe('the record of URLs', () => {
  test('a changed slug is redirected', () => {
    expect(redirectsAfter({ 1: '/a/x' }, { 1: '/a/y' })).toEqual(['/a/x → /a/y']);
  });

  test('three renames are redirects to the last one', () => {
    expect(redirectsAfter({ 1: '/a/x' }, { 1: '/a/y' }, { 1: '/a/z' }, { 1: '/a/w' })).toEqual([
      '/a/x → /a/w',
      '/a/y → /a/w',
      '/a/z → /a/w',
    ]);
  });

  test('a slug that is used again is no redirect, nor is one that came back', () => {
    expect(redirectsAfter({ 1: '/a/x' }, { 1: '/a/y' }, { 1: '/a/y', 2: '/a/x' })).toEqual([]);
    expect(redirectsAfter({ 1: '/a/x' }, { 1: '/a/y' }, { 1: '/a/x' })).toEqual(['/a/y → /a/x']);
    expect(redirectsAfter({ 1: '/a/x', 2: '/a/y' }, { 1: '/a/y', 2: '/a/x' })).toEqual([]);
  });

  test('the URL of an item that is gone is none until it returns', () => {
    expect(redirectsAfter({ 1: '/a/x' }, { 1: '/a/y' }, {})).toEqual([]);
    expect(redirectsAfter({ 1: '/a/x' }, { 1: '/a/y' }, {}, { 1: '/a/z' })).toEqual(['/a/x → /a/z']);
  });

  test('a former URL is forgotten when `keep` is over', () => {
    const known = updateRecord(
      [updateRecord([], [current({ 1: '/a/x' })], START)],
      [current({ 1: '/a/y' })],
      START,
    );
    const later = (days: number) =>
      redirectsOf(updateRecord([known], [current({ 1: '/a/y' })], START + days * DAY));
    expect(later(9)).toHaveLength(1);
    expect(later(12)).toEqual([]);
  });

  test('what only the cache or only the committed record knows is kept, and so are other routes', () => {
    const committed = updateRecord([], [current({ 1: '/a/x' }), current({ 5: '/b/x' }, '/b/[id]')], START);
    const cached = updateRecord([committed], [current({ 1: '/a/y' })], START + DAY);
    const both = updateRecord([committed, cached], [current({ 1: '/a/z' })], START + 2 * DAY);
    expect(redirectsOf(both).map(({ from, to }) => `${from} → ${to}`)).toEqual([
      '/a/x → /a/z',
      '/a/y → /a/z',
    ]);
    expect(both.routes['/b/[id]']).toEqual(committed.routes['/b/[id]']);
  });
});

describe('the file of redirects', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'astro-luid-redirects-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const record = updateRecord([], [current({ '2/ja': '/a/京', '1/ja': '/a/x' })], START);

  test('is not written again if nothing has changed', () => {
    expect(writeRecord(folder, record)).toBe(true);
    const written = readFileSync(join(folder, REDIRECT_FILE), 'utf8');
    const { mtimeMs } = statSync(join(folder, REDIRECT_FILE));
    const [read] = readRecords(folder, join(folder, 'none'));
    expect(
      writeRecord(
        folder,
        updateRecord([read as RedirectRecord], [current({ '1/ja': '/a/x', '2/ja': '/a/京' })], START + DAY),
      ),
    ).toBe(false);
    expect(readFileSync(join(folder, REDIRECT_FILE), 'utf8')).toBe(written);
    expect(statSync(join(folder, REDIRECT_FILE)).mtimeMs).toBe(mtimeMs);
  });

  test.each([
    ['half a file', '{"routes": {"/a/[id]": {'],
    ['a conflict', '<<<<<<< HEAD\n{}\n'],
    ['another file', '{"name":"x"}'],
    ['a target on another site', '{"routes":{"/a/[id]":{"paths":{"1":"//evil.example"},"former":{}}}}'],
    ['a path with parameters', '{"routes":{"/a/[id]":{"paths":{"1":"/a/[x]"},"former":{}}}}'],
    ['a path out of the site', '{"routes":{"/a/[id]":{"paths":{"1":"/a/../../b"},"former":{}}}}'],
  ])('with %s is an error in the project, and starts anew in the cache', (_, text) => {
    writeFileSync(join(folder, REDIRECT_FILE), text);
    expect(() => readRecords(folder, join(folder, 'none'))).toThrow(
      /is not a record of redirects[\s\S]*Restore it from git/,
    );
    expect(readRecords(join(folder, 'none'), folder)).toEqual([]);
  });
});
