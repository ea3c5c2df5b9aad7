import { expect, test } from 'vitest';
import { LiveSources } from '../../../src/astro/live/live-sources.ts';
import type { RouteCache } from '../../../src/astro/revalidate/cache-invalidation.ts';
import { Revalidation } from '../../../src/astro/revalidate/revalidation.ts';
import { TestSchedule } from './test-schedule.ts';
import { TestSource } from './test-source.ts';

test('a source is told up to which version pages are invalidated, and not before', async () => {
  const sources = new LiveSources();
  const confirmed: number[] = [];
  const source = Object.assign(new TestSource(), {
    confirmInvalidated: (version: number) => void confirmed.push(version),
  });
  sources.add(source);
  let isDown = false;
  const invalidate = async () => {
    if (isDown) throw new Error('the CDN is down');
  };
  const logger = { info: () => {}, error: () => {} };
  const revalidation = new Revalidation(sources, { schedule: new TestSchedule().schedule, logger });
  source.change('before the first request');
  revalidation.useCache({ invalidate } as unknown as RouteCache);
  await revalidation.done();
  expect(confirmed).toEqual([1]);
  isDown = true;
  source.change('a');
  await expect(revalidation.done()).rejects.toThrow('the CDN is down');
  expect(confirmed).toEqual([1]);
  isDown = false;
  source.change('b');
  await revalidation.done();
  expect(confirmed).toEqual([1, 3]);
});
