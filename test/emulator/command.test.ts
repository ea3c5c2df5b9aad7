import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SPACE } from './space.ts';

const LUID = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'luid-'));
  await writeFile(join(folder, 'space.json'), JSON.stringify(SPACE));
  await writeFile(join(folder, 'a.jpg'), 'a picture');
  await writeFile(join(folder, 'broken.json'), '{"keys": [');
  await writeFile(join(folder, 'bad.json'), JSON.stringify({ ...SPACE, keys: [{ key: '' }] }));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a command that ends by itself. */
async function run(...args: string[]) {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [LUID, 'emulator', ...args]);
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

/** Starts one that runs until it is told to stop. */
async function start(...args: string[]) {
  const child = spawn(process.execPath, [LUID, 'emulator', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const [, baseUrl = '', assetsUrl = ''] =
    /^ready (http:\/\/127\.0\.0\.1:\d+\/v1) (http:\S+\/assets)$/.exec(line) ?? [];
  const stop = async () => {
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  };
  return { baseUrl, assetsUrl, stop };
}

describe('luid emulator', () => {
  it('says when it is ready, serves the seed and its files, and stops on a signal', async () => {
    const args = ['--seed', join(folder, 'space.json'), '--header', 'X-Key', '--cdn', 'off'];
    const { baseUrl, assetsUrl, stop } = await start(...args);
    const response = await fetch(`${baseUrl}/contents/1`, { headers: { 'X-Key': 'pub' } });
    expect(await response.json()).toMatchObject({ portrait: { url: `${assetsUrl}/900/a.jpg` } });
    expect(response.headers.get('x-cache')).toBe('PASS');
    expect(await (await fetch(`${assetsUrl}/900/a.jpg`)).text()).toBe('a picture');
    await stop();
  });

  it('keeps changes and uploads in the data file, which is enough to start again', async () => {
    const data = join(folder, 'kept.json');
    const first = await start('--seed', join(folder, 'space.json'), '--data', data);
    const headers = { 'X-SERVICE-API-KEY': 'all' };
    const body = new FormData();
    body.append('file', new Blob(['a note']), 'note.txt');
    const uploaded = await fetch(`${first.baseUrl}/media`, { method: 'POST', headers, body });
    const { id } = (await uploaded.json()) as { id: number };
    await fetch(`${first.baseUrl}/contents/1?model=author`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ fields: { name: 'Mori Ogai' } }),
    });
    await first.stop();
    const second = await start('--data', data);
    const response = await fetch(`${second.baseUrl}/contents/1`, { headers });
    expect(await response.json()).toMatchObject({ name: 'Mori Ogai', _status: 'published_draft' });
    expect(await (await fetch(`${second.assetsUrl}/${id}/note.txt`)).text()).toBe('a note');
    expect(await (await fetch(`${second.assetsUrl}/900/a.jpg`)).text()).toBe('a picture');
    await second.stop();
  });

  it('a data file that is damaged: exit code 1, and it is left alone', async () => {
    const data = join(folder, 'broken.json');
    const { code, stdout, stderr } = await run('--data', data);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/broken\.json .* was left alone/);
    expect(await readFile(data, 'utf8')).toBe('{"keys": [');
  });

  it('explains itself', async () => {
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    for (const option of ['seed', 'port', 'host', 'latency', 'rate-limit', 'cdn', 'header', 'data']) {
      expect(stdout).toContain(`--${option}`);
    }
  });

  it.each([
    [['--port', 'x'], '--port'],
    [['--port', '70000'], '--port'],
    [['--latency', '-1'], '--latency'],
    [['--cdn', 'maybe'], '--cdn'],
    [['--rate-limit', '1'], '--rate-limit'],
    [['--header', 'a b'], '--header'],
    [['--data', ''], '--data'],
    [['--nope'], '--nope'],
    [['surplus'], 'surplus'],
  ])('%j: one clear line and exit code 2', async (args, named) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^luid emulator: [^\n]+\n$/);
    expect(stderr).toContain(named);
  });

  it.each([
    ['missing.json', 'cannot be read'],
    ['broken.json', 'is not valid JSON'],
    ['bad.json', 'seed.keys[0].key'],
  ])('%s: exit code 1 with the place', async (file, said) => {
    const { code, stdout, stderr } = await run('--seed', join(folder, file));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(said);
  });
});
