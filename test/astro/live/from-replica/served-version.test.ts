import { expect, test } from 'vitest';
import { NO_CHANGE, ServedVersion } from '../../../../src/astro/live/check/served-version.ts';
import { ANY_TAG } from '../../../../src/astro/live/live-sources.ts';

/** Serves versions one after the other, from the first on: each but the first changes this number of tags. */
async function serve(...counts: readonly number[]): Promise<ServedVersion> {
  const served = new ServedVersion(async (_, { number }) => {
    const count = counts[number - 2] ?? 0;
    return { ...NO_CHANGE, tags: Array.from({ length: count }, (_, index) => `${number}-${index}`) };
  });
  for (let number = 1; number <= counts.length + 1; number += 1) {
    await served.replaceWith({ main: { manifest: { generation: number } }, sub: new Map() } as never);
  }
  return served;
}

test('what changed since a version is known', async () => {
  const served = await serve(2, 1);
  expect(served.tagsSince(1)).toEqual(['2-0', '2-1', '3-0']);
  expect(served.tagsSince(2)).toEqual(['3-0']);
  expect(served.tagsSince(3)).toEqual([]);
});

test('many tags are not kept: anything may have changed since an older version', async () => {
  const served = await serve(20_000, 20_000, 20_000);
  expect(served.tagsSince(1)).toContain(ANY_TAG);
  expect(served.tagsSince(1)).toHaveLength(40_001);
  expect(served.tagsSince(2)).toHaveLength(40_000);
  expect(served.tagsSince(2)).not.toContain(ANY_TAG);
});

test('many versions are not kept: anything may have changed since an older one', async () => {
  const served = await serve(...Array.from({ length: 1001 }, () => 1));
  expect(served.tagsSince(1)).toContain(ANY_TAG);
  expect(served.tagsSince(2)).toHaveLength(1000);
});

test('the tags of the last version are kept, however many there are', async () => {
  const served = await serve(1, 60_000);
  expect(served.tagsSince(1)).toContain(ANY_TAG);
  expect(served.tagsSince(2)).toHaveLength(60_000);
});

test('a version that cannot be compared is not served, and what is served can be compared again', async () => {
  const error = new Error('cannot be compared');
  const covered: boolean[] = [];
  const served = new ServedVersion(async (before) => {
    if (!before) return NO_CHANGE;
    covered.push(before.covered !== undefined);
    if (covered.length === 1) throw error;
    return { ...NO_CHANGE, tags: ['changed'] };
  });
  const content = (generation: number) => ({ main: { manifest: { generation } }, sub: new Map() }) as never;
  await served.replaceWith(content(1));
  const { state } = served;
  await expect(served.replaceWith(content(2))).rejects.toBe(error);
  expect([served.state, state?.covered, served.tagsSince(1)]).toEqual([state, undefined, []]);
  expect((await served.replaceWith(content(2))).tags).toEqual(['changed']);
  expect(covered).toEqual([true, true]);
});
