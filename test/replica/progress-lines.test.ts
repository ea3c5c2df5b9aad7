import { describe, expect, test } from 'vitest';
import { createProgress, type Summary, summaryLine } from '../../src/replica/sync/progress.ts';

function open() {
  const lines: string[] = [];
  let time = 50_000;
  const log = (line: string) => void lines.push(line);
  const { page } = createProgress({ info: log, warn: () => log('warning') }, () => time);
  return { lines, page, pass: (milliseconds: number) => (time += milliseconds) };
}

describe('the progress lines of a long read', () => {
  test('are logged every three seconds', () => {
    const { lines, page, pass } = open();
    page('article', 100, 1000);
    pass(2999);
    page('article', 200, 1000);
    expect(lines).toEqual([]);
    pass(1);
    page('article', 300, 1000);
    page('article', 400, 1000);
    pass(2999);
    page('article', 500, 1000);
    expect(lines).toHaveLength(1);
    pass(1);
    page('article', 600, 1000);
    expect(lines).toEqual([
      '300 of 1,000 items (30 %), 100 per second, about 7 s left',
      '600 of 1,000 items (60 %), 100 per second, about 4 s left',
    ]);
  });

  test('sum up the latest numbers of all models', () => {
    const { lines, page, pass } = open();
    page('author', 10, 30);
    page('author', 20, 30);
    pass(4000);
    page('article', 1000, 1999);
    expect(lines).toEqual(['1,020 of 2,029 items (50 %), 255 per second, about 4 s left']);
  });

  test('have whole numbers, however little was read', () => {
    const { lines, page, pass } = open();
    pass(10_000);
    page('article', 0, 0);
    pass(10_000);
    page('article', 1, 5);
    expect(lines).toEqual([
      '0 of 0 items (0 %), 0 per second, about 0 s left',
      '1 of 5 items (20 %), 0 per second, about 4 s left',
    ]);
  });
});

describe('the summary line of a sync', () => {
  const nothing: Summary = {
    items: 0,
    added: 0,
    changed: 0,
    removed: 0,
    requests: 0,
    cached: 0,
    retries: 0,
    waited: 0,
  };
  test.each<[Partial<Summary>, string]>([
    [{}, '0 items, none changed; 0 requests (0 from the CDN)'],
    [{ items: 1, requests: 1, cached: 1 }, '1 item, none changed; 1 request (1 from the CDN)'],
    [{ items: 2, requests: 2 }, '2 items, none changed; 2 requests (0 from the CDN)'],
    [
      { items: 12345, added: 1000, changed: 2000, removed: 3000, requests: 4000, cached: 5000 },
      '12,345 items, 1,000 added, 2,000 changed, 3,000 removed; 4,000 requests (5,000 from the CDN)',
    ],
    [{ changed: 1 }, '0 items, 1 changed; 0 requests (0 from the CDN)'],
    [
      { retries: 1, waited: 1250 },
      '0 items, none changed; 0 requests (0 from the CDN), 1 retry, 1.3 s waited',
    ],
    [{ retries: 2000 }, '0 items, none changed; 0 requests (0 from the CDN), 2,000 retries'],
    [{ waited: 1 }, '0 items, none changed; 0 requests (0 from the CDN), 0.0 s waited'],
  ])('%j', (counts, line) => {
    expect(summaryLine({ ...nothing, ...counts })).toBe(line);
  });
});
