import { describe, expect, test } from 'vitest';
import { coalesce } from '../../src/astro/coalesce.ts';

describe('concurrent calls', () => {
  /** A function whose runs end when the test ends them. */
  function controlledRuns() {
    const runs: { end: () => void; fail: (error: Error) => void }[] = [];
    const run = coalesce(
      (_reason: string) => new Promise<void>((end, fail) => void runs.push({ end, fail })),
    );
    return { runs, run };
  }

  test('share one run that starts after all of them', async () => {
    const { runs, run } = controlledRuns();
    const first = run('a');
    const later = Array.from({ length: 50 }, () => run('b'));
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await first;
    await Promise.resolve();
    expect(runs).toHaveLength(2);
    later.push(run('c'));
    runs[1]?.end();
    await Promise.all(later.slice(0, 50));
    await Promise.resolve();
    expect(runs).toHaveLength(3);
    runs[2]?.end();
    await Promise.all(later);
  });

  test('do not share the failure of a run that started before them', async () => {
    const { runs, run } = controlledRuns();
    const first = run('a');
    const second = run('b');
    runs[0]?.fail(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await Promise.resolve();
    runs[1]?.end();
    await second;
    const third = run('c');
    runs[2]?.end();
    await third;
  });
});
