import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import {
  type EmulatedSpace,
  emulatedSpaceOf,
  MODELS,
  openEmulatedSpace,
  readFromService,
  seedOf,
} from '../support/emulated-space.ts';
import { filesIn } from '../support/folder-files.ts';
import { randomRuns } from '../support/random-runs.ts';
import { seededRandom } from '../support/seeded-random.ts';
import type { ChildOptions } from './sync-child.ts';

const CHILD = fileURLToPath(new URL('sync-child.ts', import.meta.url));
const ROUNDS = randomRuns(30);

test(`two processes with one cache are both right in ${ROUNDS} rounds each`, async () => {
  const service = await startEmulator(seedOf(160), {
    rateLimit: false,
    // Else a restored item that is balanced by one that went is seen by a whole read only.
    assumptions: { restoreTouchesUpdatedAt: true },
  });
  const emulated = emulatedSpaceOf(service);
  const children = [startChild(emulated), startChild(emulated)];
  try {
    await Promise.all(children.map(answerOf));
    const random = seededRandom(7);
    for (let round = 1; round <= ROUNDS; round++) {
      for (let edits = random(4); edits > 0; edits--) change(emulated, random, round);
      const expected = Object.fromEntries(await readFromService(emulated, MODELS));
      const answers = await Promise.all(
        children.map((child) => {
          child.send(service.clock.now());
          return answerOf(child);
        }),
      );
      for (const answer of answers) expect(answer).toEqual({ items: expected, warnings: [] });
    }
    // Four models of one segment, in the newest states and in those that are about to go.
    expect(filesIn(emulated.dir).length).toBeLessThan(40);
  } finally {
    for (const child of children) child.disconnect();
    await service.close();
  }
});

function startChild(emulated: EmulatedSpace): ChildProcess {
  const options: ChildOptions = {
    baseUrl: emulated.service.baseUrl,
    dir: emulated.dir,
    models: MODELS,
    now: 0,
    once: false,
  };
  return fork(CHILD, [JSON.stringify(options)], { execArgv: [] });
}

function answerOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: unknown) => reject(new Error(`The process ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (answer) => {
      child.off('exit', onExit);
      resolve(answer);
    });
  });
}

function change({ service }: EmulatedSpace, random: (below: number) => number, round: number): void {
  const { contents, clock } = service;
  clock.advance(random(3) * 500);
  const id = 1 + random(160);
  const titled = id % 4 === 1 ? 'name' : 'title';
  const { archived } = contents.get(id);
  const what = random(4);
  if (archived) contents.restore(id);
  else if (what === 0) contents.archive(id);
  else if (what === 1) contents.create({ model: 'event', published: { ja: { title: `new ${round}` } } });
  else contents.edit(id, { [titled]: `edit ${round}` });
}

test.each(['once', 'twice'])(
  'a sync that was overtaken %s does not replace what the others stored',
  async (times) => {
    const emulated = openEmulatedSpace(seedOf(160));
    const sync = (fetch = emulated.service.fetch) => emulated.sync({ concurrency: 3, fetch });
    await sync();
    emulated.service.contents.edit(2, { title: 'first' });
    // Its answers are from now, and it goes on when all is over.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let asked = () => {};
    const hasAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const slow = sync(async (...request) => {
      const response = await emulated.service.fetch(...(request as [Request]));
      asked();
      await held;
      return response;
    });
    await hasAsked;
    for (let n = 0; n < (times === 'once' ? 1 : 2); n++) {
      emulated.service.clock.advance(1000);
      emulated.service.contents.edit(2, { title: `later ${n}` });
      await sync();
    }
    const newer = Object.fromEntries(await readFromService(emulated, MODELS));
    release();
    // Parts that it was to reuse may have gone meanwhile: then it reads them again, and so what is newer.
    const title = (await (await slow).items()).get(2)?.title;
    expect(['first', newer[2]?.title]).toContain(title);
    const stored = await (await emulated.sync({ offline: true })).items();
    expect(Object.fromEntries(stored)).toEqual(newer);
    expect(Object.fromEntries(await (await sync()).items())).toEqual(newer);
  },
);
