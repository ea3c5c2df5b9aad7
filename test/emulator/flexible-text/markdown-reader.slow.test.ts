import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';

const SEED = {
  keys: [{ key: 'all', reads: 'drafts' }],
  models: {
    page: {
      body: { type: 'flexible_text' },
      parts: { type: 'repeat', fields: { text: { type: 'flexible_text' } } },
    },
  },
};
const headers = { 'X-SERVICE-API-KEY': 'all' };

let running: RunningEmulator;
beforeAll(async () => {
  running = await startEmulator(SEED, { rateLimit: false });
});
afterAll(() => running.close());

async function send(fields: object) {
  const response = await fetch(`${running.baseUrl}/contents?model=page&ft_format=markdown`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ fields }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const repeat = (pattern: string, length: number) => pattern.repeat(Math.ceil(length / pattern.length));
const TOO_SLOW = {
  status: 400,
  body: {
    status: '400',
    code: 'BadRequest',
    message: expect.stringMatching(/Markdown takes .* more than 2 s/),
  },
};

describe('Markdown in writes', () => {
  // Each of these takes `marked` quadratic time: minutes at this length.
  it.each(['*a', 'a**b'])('%s, 400 kB of it, is rejected with the reason', async (pattern) => {
    expect(await send({ body: repeat(pattern, 400_000) })).toEqual(TOO_SLOW);
    expect((await fetch(`${running.baseUrl}/contents`, { headers })).status).toBe(200);
  });

  it('quotes nested thousands of levels deep are rejected with the reason', async () => {
    expect(await send({ body: repeat('> ', 100_000) })).toMatchObject({
      status: 400,
      // Which of the two comes first depends on the machine.
      body: { message: expect.stringMatching(/nested too deeply|more than 2 s/) },
    });
  });

  it('all fields of a request share one time limit', async () => {
    const parts = Array.from({ length: 40 }, (_, index) => ({ text: `${index} ${repeat('**_a', 12_000)}` }));
    expect(await send({ parts })).toEqual(TOO_SLOW);
  });

  it('50 kB of ordinary Markdown are accepted', async () => {
    const section =
      '# Title\n\nSome *emphasis*, **strong** words, [a link](https://example.test) and `code`.\n\n- one\n- two\n\n> quote\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n';
    const { status, body } = await send({ body: repeat(section, 50_000) });
    expect(status).toBe(200);
    const response = await fetch(`${running.baseUrl}/contents/${body.id}`, { headers });
    expect(await response.text()).toContain('<strong>strong</strong>');
  });
});
