import { describe, expect, it } from 'vitest';
import { createEmulator, type EmulatorOptions } from '../../../src/emulator/index.ts';
import { SPACE } from '../small-seed.ts';

/** Requests a list of an emulator with these limits. */
function open(options: EmulatorOptions) {
  const emulator = createEmulator(SPACE, options);
  const read = (query: string, signal?: AbortSignal) =>
    emulator.fetch(`${emulator.baseUrl}/contents?${query}`, {
      headers: { 'X-SERVICE-API-KEY': 'pub' },
      ...(signal && { signal }),
    });
  return { emulator, read };
}

describe('a limit of the size of responses', () => {
  it('makes a larger one a 500 in the format of other errors, and leaves others as they are', async () => {
    const { read, emulator } = open({});
    const bytes = (await (await read('limit=1')).arrayBuffer()).byteLength;
    emulator.maxResponse = bytes;
    expect((await read('limit=1')).status).toBe(200);
    const tooLarge = await read('limit=2');
    expect([tooLarge.status, await tooLarge.json()]).toEqual([
      500,
      { status: '500', code: 'Internal Server Error' },
    ]);
  });

  it('is not what the CDN keeps: the same request works when it is gone', async () => {
    const { read, emulator } = open({ maxResponse: 10 });
    expect((await read('limit=2')).status).toBe(500);
    emulator.maxResponse = Number.POSITIVE_INFINITY;
    expect((await read('limit=2')).status).toBe(200);
  });
});

describe('a time per item', () => {
  it('delays a list for each of its items, until the client gives up', async () => {
    const { read } = open({ timePerItem: 3_600_000, cdn: false });
    const given = new AbortController();
    const response = read('limit=2', given.signal);
    given.abort(new Error('given up'));
    await expect(response).rejects.toThrow('given up');
  });

  it('does not delay a list without items', async () => {
    const { read } = open({ timePerItem: 3_600_000, cdn: false });
    expect(await (await read('offset=1000')).json()).toMatchObject({ data: [] });
  });
});
