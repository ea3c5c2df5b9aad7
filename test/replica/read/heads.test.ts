import { describe, expect, test } from 'vitest';
import type { WireContent, WireList } from '../../../src/contract/content.ts';
import {
  areConclusive,
  cursorOf,
  explainsDifference,
  fingerprintOf,
  type Heads,
  isSameVersion,
  readHeads,
  wasVisibleAt,
} from '../../../src/replica/read/heads.ts';
import type { Source } from '../../../src/replica/read/source.ts';
import { at, changedAt, content, draft, second } from '../wire-items.ts';

const DAY = 24 * 60 * 60;

function listOf(data: WireContent[], total = data.length): WireList {
  return { total, offset: 0, limit: 100, data };
}

/** Heads that both show these items, read a minute after second 0. */
function headsOf(data: WireContent[], rest: Partial<Heads> = {}): Heads {
  const list = listOf(data);
  return {
    updated: list,
    published: list,
    total: list.total,
    bypassedCdn: true,
    ahead: second(60 + DAY),
    ...rest,
  };
}

type Reading = readonly [updated: WireList, published: WireList];

/** A source whose heads are these, one reading after the other; the last one for ever. */
function sourceOf(...readings: Reading[]) {
  const requests: string[] = [];
  const newest: Source['newest'] = async (by, options) => {
    const count = requests.filter((request) => request.startsWith(by)).length;
    requests.push(`${by} ${options?.bypassCdn ? 'bypassing the CDN' : 'cached'}`);
    const reading = readings[Math.min(count, readings.length - 1)] as Reading;
    return reading[by === '_updated_at' ? 0 : 1];
  };
  return { source: { newest, now: async () => second(60) } as Source, requests };
}

const CACHED = ['_updated_at cached', '_last_published_at cached'];
const FRESH = ['_updated_at bypassing the CDN', '_last_published_at bypassing the CDN'];

describe('reading the heads', () => {
  const list = listOf([changedAt(1, 5)]);

  test('takes two requests that the CDN may respond to', async () => {
    const { source, requests } = sourceOf([listOf([changedAt(1, 5), draft(2)]), list]);
    expect(await readHeads(source)).toEqual({
      updated: listOf([changedAt(1, 5), draft(2)]),
      published: list,
      total: 2,
      bypassedCdn: false,
      ahead: second(60 + DAY),
    });
    expect(requests).toEqual(CACHED);
  });

  test('bypasses the CDN on request', async () => {
    const { source, requests } = sourceOf([list, list]);
    expect(await readHeads(source, { bypassCdn: true })).toMatchObject({ bypassedCdn: true });
    expect(requests).toEqual(FRESH);
  });

  const known = { updated: second(5), published: second(5) };
  test('accepts heads of the CDN that are as new as what is known', async () => {
    const { source, requests } = sourceOf([list, list]);
    await readHeads(source, { cursor: known });
    expect(requests).toEqual(CACHED);
  });

  test('accepts heads of the CDN if nothing is known', async () => {
    const { source, requests } = sourceOf([listOf([changedAt(1, 5), draft(2)]), list]);
    await readHeads(source, {});
    expect(requests).toEqual(CACHED);
  });

  const old = listOf([changedAt(1, 4)]);
  test.each<[string, Reading]>([
    ['was updated before what is known', [old, list]],
    ['was published before what is known', [list, old]],
    ['counts more that was published than there is', [list, listOf([changedAt(1, 5)], 2)]],
  ])('bypasses the CDN if its newest item %s', async (_what, reading) => {
    const { source, requests } = sourceOf(reading, [list, list]);
    const heads = await readHeads(source, { cursor: known });
    expect(heads).toMatchObject({ updated: list, published: list, bypassedCdn: true });
    expect(requests).toEqual([...CACHED, ...FRESH]);
  });

  test('bypasses the CDN if more items were published than exist, even if nothing is known', async () => {
    const { source, requests } = sourceOf([list, listOf([changedAt(1, 5)], 2)], [list, list]);
    expect(await readHeads(source)).toMatchObject({ published: list, bypassedCdn: true });
    expect(requests).toEqual([...CACHED, ...FRESH]);
  });

  test('accepts heads bypassing the CDN whatever is known', async () => {
    const { source, requests } = sourceOf([old, old]);
    await readHeads(source, { cursor: known, bypassCdn: true });
    expect(requests).toEqual(FRESH);
  });

  test('is repeated three times if the two heads are inconsistent', async () => {
    const more = listOf([changedAt(1, 5)], 2);
    const { source, requests } = sourceOf([list, more]);
    expect(await readHeads(source, { bypassCdn: true })).toMatchObject({ published: more });
    expect(requests).toEqual([...FRESH, ...FRESH, ...FRESH, ...FRESH]);
  });

  test('is repeated only until the two heads are consistent', async () => {
    const { source, requests } = sourceOf([list, listOf([changedAt(1, 5)], 2)], [list, list]);
    expect(await readHeads(source, { bypassCdn: true })).toMatchObject({ published: list });
    expect(requests).toEqual([...FRESH, ...FRESH]);
  });
});

describe('the cursor of heads', () => {
  test('has the newest of each time', () => {
    const updated = listOf([changedAt(1, 3), changedAt(2, 7)]);
    const published = listOf([changedAt(3, 9), changedAt(1, 3)]);
    expect(cursorOf(headsOf([], { updated, published }))).toEqual({
      updated: second(7),
      published: second(9),
    });
  });

  test('ignores times in the future', () => {
    const ahead = second(60 + DAY);
    const before = content(2, { _updated_at: new Date(ahead - 1).toISOString() });
    const heads = headsOf([changedAt(1, 60 + DAY), before, changedAt(3, 60 + 2 * DAY)]);
    expect(cursorOf(heads)).toEqual({ updated: ahead - 1, published: second(0) });
  });

  test('is 0 if no item has a time', () => {
    expect(cursorOf(headsOf([]))).toEqual({ updated: 0, published: 0 });
    expect(cursorOf(headsOf([draft(1)]))).toEqual({ updated: second(0), published: 0 });
  });
});

describe('heads are conclusive', () => {
  const moment = listOf([changedAt(1, 5), changedAt(2, 5)], 3);
  const ended = listOf([changedAt(1, 6), changedAt(2, 5)], 3);
  const whole = listOf([changedAt(1, 5), changedAt(2, 5)]);

  test.each<[string, WireList, WireList, boolean]>([
    ['if they show everything', whole, whole, true],
    ['if they show more than there is', listOf(whole.data, 1), whole, true],
    ['if they reach back before the newest time', ended, ended, true],
    ['if one shows everything and the other reaches back', whole, ended, true],
    ['unless all times of one are equal and have just passed', moment, ended, false],
    ['unless the other is', ended, moment, false],
  ])('%s', (_when, updated, published, expected) => {
    expect(areConclusive(headsOf([], { updated, published }))).toBe(expected);
  });

  test('if all their times are equal and more than a day ago', () => {
    const readAt = (seconds: number) =>
      headsOf([], { updated: moment, published: moment, ahead: second(seconds + DAY) });
    expect(areConclusive(readAt(5 + DAY))).toBe(false);
    expect(areConclusive(readAt(6 + DAY))).toBe(true);
  });

  test('not because of an item whose time is in the future', () => {
    const list = listOf([changedAt(1, 90 + DAY), changedAt(2, 5)], 3);
    expect(areConclusive(headsOf([], { updated: list, published: list }))).toBe(false);
  });
});

describe('an item was visible in this version when the heads were read', () => {
  const heads = headsOf([], {
    updated: listOf([changedAt(1, 9), changedAt(2, 5)]),
    published: listOf([changedAt(3, 9), changedAt(4, 5)]),
  });
  const wasVisible = wasVisibleAt(heads);

  test('if both of its times are before those of the heads', () => {
    expect(wasVisible(changedAt(10, 8))).toBe(true);
  });

  test.each([
    ['_updated_at is that of the newest', { _updated_at: at(9), _last_published_at: at(8) }],
    ['_last_published_at is that of the newest', { _updated_at: at(8), _last_published_at: at(9) }],
    ['both are later', { _updated_at: at(10), _last_published_at: at(10) }],
  ])('not if its %s', (_what, times) => {
    expect(wasVisible(content(10, times))).toBe(false);
  });

  test('if the heads contained this version', () => {
    expect(wasVisible(changedAt(1, 9))).toBe(true);
    expect(wasVisible(changedAt(3, 9))).toBe(true);
    expect(wasVisible(changedAt(1, 10))).toBe(false);
    expect(wasVisible(changedAt(4, 9))).toBe(false);
  });
});

describe('two reads have the same version', () => {
  test('whatever their strings are', () => {
    expect(isSameVersion(content(1, { body: '<p>a</p>' }), content(1, { body: 'a' }))).toBe(true);
  });

  test.each<[string, Partial<WireContent>]>([
    ['_updated_at', { _updated_at: at(1) }],
    ['_last_published_at', { _last_published_at: at(1) }],
    ['_status', { _status: 'published_draft' }],
  ])('unless %s differs', (_property, change) => {
    expect(isSameVersion(content(1), content(1, change))).toBe(false);
  });
});

describe('changes explain the totals of two reads', () => {
  const before = headsOf([changedAt(1, 5)], { total: 10 });
  const totalOf = (total: number) => headsOf([], { total });
  const explains = (total: number, items: WireContent[]) => explainsDifference(before, totalOf(total), items);
  const created = (id: number, seconds: number) =>
    draft(id, { _created_at: at(seconds), _updated_at: at(seconds) });
  const launched = (id: number, seconds: number) => content(id, { _published_at: at(seconds) });

  test('that are equal, if none of the items is new', () => {
    expect(explains(10, [])).toBe(true);
    expect(explains(10, [changedAt(2, 9)])).toBe(true);
    expect(explains(11, [])).toBe(false);
    expect(explains(9, [changedAt(2, 9)])).toBe(false);
  });

  test('that differ by the number of created items', () => {
    expect(explains(12, [created(2, 5), created(3, 6)])).toBe(true);
    expect(explains(11, [created(2, 5), created(3, 4)])).toBe(true);
    expect(explains(11, [created(2, 5), created(3, 6)])).toBe(false);
  });

  test('that differ by the number of items published for the first time', () => {
    expect(explains(12, [launched(2, 5), launched(3, 6)])).toBe(true);
    expect(explains(11, [launched(2, 5), launched(3, 4)])).toBe(true);
    expect(explains(11, [launched(2, 5), launched(3, 6)])).toBe(false);
  });

  test('not if the earlier heads already contained the items', () => {
    const shown = [created(1, 5), launched(20, 5), created(21, 5)];
    const heads = headsOf([], {
      updated: listOf([changedAt(1, 5), changedAt(20, 4)]),
      published: listOf([changedAt(21, 5)]),
      total: 10,
    });
    expect(explainsDifference(heads, totalOf(10), shown)).toBe(true);
    expect(explainsDifference(heads, totalOf(11), shown)).toBe(false);
  });
});

describe('the fingerprint of heads', () => {
  const heads = headsOf([changedAt(1, 5)]);
  test('is equal for equal heads', () => {
    expect(fingerprintOf(headsOf([changedAt(1, 5)], { bypassedCdn: false, ahead: 0 }))).toBe(
      fingerprintOf(heads),
    );
  });

  test.each<[string, Partial<Heads>]>([
    ['an item that was updated', { updated: listOf([changedAt(2, 5)]) }],
    ['an item that was published', { published: listOf([changedAt(2, 5)]) }],
    ['a total', { updated: listOf([changedAt(1, 5)], 2) }],
    ['the total of what was published', { published: listOf([changedAt(1, 5)], 2) }],
  ])('differs with %s', (_what, change) => {
    expect(fingerprintOf({ ...heads, ...change })).not.toBe(fingerprintOf(heads));
  });
});
