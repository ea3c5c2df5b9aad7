import { expect, test } from 'vitest';
import { BuildProgress } from '../../../src/cli/audit-build/build-progress.ts';

function startAt(time: number) {
  const clock = { time };
  return { clock, progress: new BuildProgress(() => clock.time) };
}

test('the first builds are counted, as nothing is known of the others', () => {
  const { progress } = startAt(1000);
  expect(progress.line(0, 'full build')).toBe('build 1: full build');
});

test('then the time that is left follows from how long the builds so far took', () => {
  const { clock, progress } = startAt(1000);
  progress.expect(42);
  clock.time += 20_000;
  expect(progress.line(2, 'article 301 changed')).toBe(
    'build 3 of about 42, about 7 min left: article 301 changed',
  );
  clock.time += 180_000;
  expect(progress.line(40, 'x')).toBe('build 41 of about 42, less than a minute left: x');
});

test('without a build that has ended, there is no time', () => {
  const { progress } = startAt(0);
  progress.expect(3);
  expect(progress.line(0, 'x')).toBe('build 1 of about 3: x');
});

test('more builds than were expected are counted only', () => {
  const { progress } = startAt(0);
  progress.expect(3);
  expect(progress.line(3, 'x')).toBe('build 4: x');
});
