import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { EventChecks, intervalWithEvents } from '../../src/shared/event-checks.ts';

let now: number;
let timer: { run: () => void; at: number } | undefined;
let begun: number[];
/** Whether a check at a time finds a change. */
let finds: (time: number) => boolean;
let checks: EventChecks<boolean>;

beforeEach(() => {
  now = 0;
  timer = undefined;
  begun = [];
  finds = () => true;
  checks = new EventChecks<boolean>({
    now: () => now,
    check: async () => {
      begun.push(now);
      return finds(now);
    },
    hasFound: (isFound) => isFound,
    schedule: (run, delay) => {
      const planned = { run, at: now + delay };
      timer = planned;
      return () => {
        if (timer === planned) timer = undefined;
      };
    },
  });
});

/** Lets the time go on, up to `end`. */
async function goTo(end: number): Promise<void> {
  await setImmediate();
  while (timer && timer.at <= end) {
    const { run, at } = timer;
    timer = undefined;
    now = at;
    run();
    await setImmediate();
  }
  now = end;
}

test('an event is followed by a check at once, and by no other if it finds a change', async () => {
  expect(await checks.add()).toBe(true);
  await goTo(60_000);
  expect(begun).toEqual([0]);
});

test('a check that finds nothing is repeated with growing delays until it finds a change', async () => {
  finds = (time) => time >= 500;
  expect(await checks.add()).toBe(false);
  await goTo(60_000);
  expect(begun).toEqual([0, 100, 300, 700]);
});

test('a check is repeated for 5 seconds at most', async () => {
  finds = () => false;
  await checks.add();
  await goTo(60_000);
  expect(begun).toEqual([0, 100, 300, 700, 1500, 3100]);
});

test('a check for an event that concerns nothing is not repeated', async () => {
  finds = () => false;
  await checks.add({ isRelevant: false });
  await goTo(60_000);
  expect(begun).toEqual([0]);
});

test('events that arrive together share a check, one second after the last one', async () => {
  await checks.add();
  now = 400;
  const results = [checks.add(), checks.add(), checks.add()];
  await goTo(60_000);
  expect(await Promise.all(results)).toEqual([true, true, true]);
  expect(begun).toEqual([0, 1000]);
});

test('an event during a check is followed by another one, which may be repeated', async () => {
  let end = (_: boolean) => {};
  const held = new EventChecks<boolean>({
    now: () => now,
    check: () => {
      begun.push(now);
      return new Promise((resolve) => {
        end = resolve;
      });
    },
    hasFound: (isFound) => isFound,
    schedule: (run, delay) => {
      timer = { run, at: now + delay };
      return () => {};
    },
  });
  const first = held.add();
  const second = held.add();
  end(true);
  expect(await first).toBe(true);
  await goTo(1000);
  expect(begun).toEqual([0, 1000]);
  end(false);
  expect(await second).toBe(false);
  await goTo(1100);
  expect(begun).toEqual([0, 1000, 1100]);
});

test('an event that arrives twice does not delay the repetition of the check', async () => {
  finds = (time) => time >= 90;
  const first = checks.add();
  await goTo(50);
  const second = checks.add();
  await goTo(60_000);
  expect(await Promise.all([first, second])).toEqual([false, true]);
  expect(begun).toEqual([0, 100]);
});

test('an event after one that announced nothing is repeated with short delays again', async () => {
  finds = () => false;
  await checks.add();
  await goTo(60_000);
  begun = [];
  await checks.add();
  await goTo(60_300);
  expect(begun).toEqual([60_000, 60_100, 60_300]);
});

test.each([true, false])(
  'a flood of events costs one check per second (each finds a change: %s)',
  async (isFound) => {
    finds = () => isFound;
    for (let event = 0; event < 10_000; event++) {
      checks.add().catch(() => {});
      await goTo(event);
    }
    expect(begun).toEqual(Array.from({ length: 10 }, (_, second) => 1000 * second));
  },
);

test('the events of one edit do not delay a repetition, and more of them do', async () => {
  finds = () => false;
  await checks.add();
  for (let event = 0; event < 4; event++) checks.add().catch(() => {});
  await goTo(100);
  expect(begun).toEqual([0, 100]);
  for (let event = 0; event < 5; event++) checks.add().catch(() => {});
  await goTo(1300);
  expect(begun).toEqual([0, 100, 1100]);
});

test('a check after a flood is repeated until it finds a change', async () => {
  finds = (time) => time >= 1500;
  await checks.add();
  const others = Array.from({ length: 100 }, () => checks.add());
  await goTo(60_000);
  expect(await Promise.all(others)).toEqual(others.map(() => false));
  expect(begun).toEqual([0, 1000, 1200, 1600]);
});

test('events that announce nothing, one per second, cost at most 60 checks per minute', async () => {
  finds = () => false;
  for (let second = 0; second < 180; second++) {
    checks.add().catch(() => {});
    await goTo((second + 1) * 1001);
  }
  for (const start of begun) {
    expect(begun.filter((time) => time >= start && time < start + 60_000).length).toBeLessThanOrEqual(60);
  }
  expect(begun.length).toBeGreaterThan(150);
});

test('an error is that of the event, and the check is repeated', async () => {
  finds = (time) => {
    if (time < 200) throw new Error('the service is down');
    return true;
  };
  await expect(checks.add()).rejects.toThrow('the service is down');
  await goTo(60_000);
  expect(begun).toEqual([0, 100, 300]);
});

test('no check begins after the end', async () => {
  finds = () => false;
  await checks.add();
  await setImmediate();
  checks.close();
  await goTo(60_000);
  expect(begun).toEqual([0]);
});

test('with events, content is checked 6 times less often, at least every 5 minutes', () => {
  expect(intervalWithEvents(5000)).toBe(30_000);
  expect(intervalWithEvents(120_000)).toBe(300_000);
  expect(intervalWithEvents(600_000)).toBe(600_000);
});
