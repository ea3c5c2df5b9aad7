import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../../src/emulator/index.ts';
import { randomRuns } from '../../support/random-runs.ts';
import { contentId } from '../reference/links.ts';
import { type Command, randomCommand } from '../reference/random-command.ts';
import { read } from '../reference/read.ts';
import { type Outcome, ReferenceSpace } from '../reference/reference-transitions.ts';
import { type Result, runCommand } from '../reference/run-command.ts';
import { START } from '../reference/start-space.ts';

type Emulator = ReturnType<typeof createEmulator>;

const KEYS = ['pub', 'all'];
/** Each language, as it is and with the main one standing in. */
const VIEWS = ['lang=ja', 'lang=en', 'lang=fr', 'lang=en&lang_fallback=true', 'lang=fr&lang_fallback=true'];
/** Milliseconds from command to command: some happen in one second, some do not. */
const PACE = 700;
const CODES: Record<number, string> = { 400: 'BadRequest', 404: 'Not Found' };

describe('the states of content', () => {
  it('§3 every read equals that of the reference model after random commands', {
    timeout: 36_000_000,
  }, async () => {
    const sequences = fc.array(randomCommand, { minLength: 4, maxLength: 12, size: 'max' });
    await fc.assert(
      fc.asyncProperty(sequences, async (commands) => {
        const emulator = createEmulator(START, { rateLimit: false });
        const space = new ReferenceSpace(START);
        emulator.clock.set(space.clock);
        const everGiven = new Set([...space.seed.contents, ...space.seed.media].map(({ id }) => id));
        const published = new Map<unknown, unknown>();
        for (const command of commands) {
          space.clock += PACE;
          emulator.clock.advance(PACE);
          const touched = touchedBy(command, space);
          const result = await runCommand(emulator, space.seed, command);
          const id = idOf(result);
          const outcome = space.apply(command, id);
          expectOutcome(result, outcome, everGiven);
          await expectSameReads(emulator, space, [touched, id]);
          expectFirstPublicationKept(emulator, published);
        }
        expectKeptAsSeed(emulator);
      }),
      { numRuns: randomRuns(50) },
    );
  });
});

function touchedBy(command: Command, { seed }: ReferenceSpace): number | undefined {
  return 'target' in command && !command.do.endsWith('Media') ? contentId(seed, command.target) : undefined;
}

function idOf(result: Result): number | undefined {
  return typeof result === 'object' ? (result.body as { id?: number }).id : undefined;
}

/** §2.4 and §7: the answer to a write; an id that is new was never given before. */
function expectOutcome(result: Result, outcome: Outcome, everGiven: Set<number>): void {
  if (typeof outcome === 'string') {
    expect(result).toBe(outcome);
    return;
  }
  if (outcome.status !== 200) {
    const body = { status: String(outcome.status), code: CODES[outcome.status] };
    expect(result).toEqual({ status: outcome.status, body });
    return;
  }
  const id = idOf(result) ?? Number.NaN;
  expect(result).toEqual({
    status: 200,
    body: { id: outcome.id === 'new' ? expect.any(Number) : outcome.id },
  });
  if (outcome.id !== 'new') return;
  expect(Number.isSafeInteger(id) && !everGiven.has(id), `a new id: ${id}`).toBe(true);
  everGiven.add(id);
}

/** ListCache, and by id what was touched, by both kinds of key in every language. */
async function expectSameReads(
  emulator: Emulator,
  { seed }: ReferenceSpace,
  touched: readonly (number | undefined)[],
): Promise<void> {
  const byId = [...new Set(touched)].filter((id) => id !== undefined).map((id) => `/contents/${id}`);
  for (const key of KEYS) {
    for (const view of VIEWS) {
      for (const path of ['/contents', ...byId]) {
        const query = path === '/contents' ? view : `${view}&depth=2&include=_langs`;
        const expected = read(
          seed,
          { key, path, query },
          (file, id) => `${emulator.assetsUrl}/${id}/${file}`,
        );
        const actual = await ask(emulator, key, `${path}?${query}`);
        // Comparing first is many times faster than an assertion that holds.
        if (!isDeepStrictEqual(actual, expected)) expect(actual, `${key} ${path}?${query}`).toEqual(expected);
      }
    }
  }
}

/** §3: once a content item has been published, `_published_at` never changes afterwards. */
function expectFirstPublicationKept(emulator: Emulator, known: Map<unknown, unknown>): void {
  for (const { id, published_at } of emulator.snapshot().contents ?? []) {
    if (known.has(id)) expect(published_at, `_published_at of ${id}`).toBe(known.get(id));
    else if (published_at) known.set(id, published_at);
  }
}

/** Whatever was written, the state is a seed that gives the same state. */
function expectKeptAsSeed(emulator: Emulator): void {
  const seed = JSON.parse(JSON.stringify(emulator.snapshot()));
  expect(JSON.parse(JSON.stringify(createEmulator(seed).snapshot()))).toEqual(seed);
}

async function ask(emulator: Emulator, key: string, path: string) {
  const response = await emulator.fetch(`${emulator.baseUrl}${path}`, {
    headers: { 'X-SERVICE-API-KEY': key },
  });
  return { status: response.status, body: (await response.json()) as unknown };
}
