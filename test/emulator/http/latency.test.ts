import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { SPACE } from '../small-seed.ts';

describe('latency', () => {
  it('keeps a process alive until the response', async () => {
    const script = `
      import { createEmulator } from ${JSON.stringify(new URL('../../../src/emulator/index.ts', import.meta.url).href)};
      const emulator = createEmulator(undefined, { latency: 20 });
      console.log((await emulator.fetch(emulator.baseUrl + '/contents')).status);
    `;
    const run = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(run.stdout).toBe('401\n');
  });

  it('ends when the request is aborted', async () => {
    const emulator = createEmulator(SPACE, { latency: 600_000 });
    const aborted = new AbortController();
    const response = emulator.fetch(`${emulator.baseUrl}/contents`, { signal: aborted.signal });
    aborted.abort(new Error('given up'));
    await expect(response).rejects.toThrow('given up');
  });

  it('delays the response to a client that has ended its side of the connection', async () => {
    const emulator = await startEmulator(SPACE, { latency: 20 });
    const { port, host } = new URL(emulator.origin);
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    socket.end(
      `GET /v1/contents HTTP/1.1\r\nHost: ${host}\r\nX-SERVICE-API-KEY: pub\r\nConnection: close\r\n\r\n`,
    );
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK/);
    await emulator.close();
  });
});
