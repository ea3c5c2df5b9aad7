import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SPACE } from '../../emulator/small-seed.ts';
import { LUID } from '../support/cli-project.ts';

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

/** Starts a command that runs until it is stopped; objects are environment variables. */
async function start(...given: (string | NodeJS.ProcessEnv)[]) {
  const args = given.filter((one) => typeof one === 'string');
  const env = Object.assign({}, process.env, ...given.filter((one) => typeof one !== 'string'));
  const child = spawn(process.execPath, [LUID, 'emulator', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.stderr += text;
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const [, baseUrl = '', assetsUrl = ''] =
    /^ready (http:\/\/127\.0\.0\.1:\d+\/v1) (http:\S+\/assets)$/.exec(line) ?? [];
  /** Stops it, and gives all that it printed. */
  const stop = async ({ signal = 'SIGTERM' as NodeJS.Signals, code = 0 } = {}) => {
    const closed = once(child, 'close');
    child.kill(signal);
    expect(await closed).toEqual([code, null]);
    return printed;
  };
  return { baseUrl, assetsUrl, printed, stop };
}

describe('luid emulator', () => {
  it('prints when it is ready, serves the seed and its files, and stops on a signal', async () => {
    const args = ['--seed', join(folder, 'space.json'), '--header', 'X-Key', '--cdn', 'off'];
    const { baseUrl, assetsUrl, stop } = await start(...args);
    const response = await fetch(`${baseUrl}/contents/1`, { headers: { 'X-Key': 'pub' } });
    expect(await response.json()).toMatchObject({ portrait: { url: `${assetsUrl}/900/a.jpg` } });
    expect(response.headers.get('x-cache')).toBe('PASS');
    expect(await (await fetch(`${assetsUrl}/900/a.jpg`)).text()).toBe('a picture');
    await stop();
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('exits with 0 on %s: that is how it ends', async (signal) => {
    const { stop } = await start();
    await stop({ signal });
  });

  it('prints the keys, what each may read, and lines for .env on stderr, and only the ready line on stdout', async () => {
    const { baseUrl, assetsUrl, stop } = await start();
    const { stdout, stderr } = await stop();
    expect(stdout).toBe(`ready ${baseUrl} ${assetsUrl}\n`);
    expect(stderr).toContain('the bundled sample');
    expect(stderr).toMatch(/#1 +published-key +reads published content, may write, all spaces\n/);
    expect(stderr).toMatch(/#2 +draft-key +reads published content and drafts, may write, all spaces\n/);
    expect(stderr).toMatch(/#3 +shop-key +reads published content, may write, spaces: shop\n/);
    expect(stderr).toMatch(/^Next: .*\.env/m);
    const lines = stderr.split('\n').filter((line) => line.startsWith('LUID_'));
    expect(parseEnv(lines.join('\n'))).toEqual({
      LUID_BASE_URL: baseUrl,
      LUID_ASSETS_URL: assetsUrl,
      LUID_API_KEY: 'published-key',
      LUID_DRAFT_API_KEY: 'draft-key',
    });
  });

  it('prints .env lines with special characters in keys escaped, or says that it cannot', async () => {
    const keys = [
      { key: 'only#shop', reads: 'published', spaces: ['_parent'] },
      { key: 'a#b"c', reads: 'published' },
      { key: "it's", reads: 'drafts' },
    ];
    await writeFile(join(folder, 'odd-keys.json'), JSON.stringify({ ...SPACE, keys }));
    const { stop } = await start('--seed', join(folder, 'odd-keys.json'), '--header', 'X-Key');
    const { stderr } = await stop();
    const lines = stderr.split('\n').filter((line) => line.startsWith('LUID_'));
    expect(parseEnv(lines.join('\n'))).toMatchObject({ LUID_API_KEY: 'a#b"c' });
    expect(stderr).toMatch(/^# LUID_DRAFT_API_KEY: /m);
    expect(parseEnv(lines.join('\n'))).toMatchObject({ LUID_API_KEY_HEADER: 'X-Key' });
  });

  it('--log prints each request with status, CDN, rate limit and key number, and nothing that moves the cursor', async () => {
    const { baseUrl, assetsUrl, stop } = await start('--log', '--seed', join(folder, 'space.json'));
    const request = async (path: string, key?: string) => {
      const headers = key === undefined ? {} : { 'X-SERVICE-API-KEY': key };
      await (await fetch(baseUrl + path, { headers })).text();
    };
    await request('/contents?model=author&name%5Bcontains%5D=M%1B%5B31m', 'pub');
    await request('/contents?model=author&name%5Bcontains%5D=M%1B%5B31m', 'pub');
    await request('/contents?model=author', 'all');
    await request('/contents?key=pub', 'wrong');
    await fetch(`${assetsUrl}/900/a.jpg`);
    const { stdout, stderr } = await stop();
    expect(stdout.match(/\n/g)).toHaveLength(1);
    const lines = stderr.split('\n').filter((line) => /^\d\d:\d\d:\d\d /.test(line));
    const query = String.raw`/v1/contents?model=author&name[contains]=M\u001b[31m`;
    expect(lines.map((line) => line.slice(10).replace(/[\d.]+ ms/, 'N ms'))).toEqual([
      `200  GET  ${query}  cdn miss  599 left  N ms  key #1 (published)`,
      `200  GET  ${query}  cdn hit  599 left  N ms  key #1 (published)`,
      '200  GET  /v1/contents?model=author  cdn pass  599 left  N ms  key #2 (drafts)',
      '401  GET  /v1/contents?key=***  cdn pass  no limit  N ms  no valid key',
      '200  GET  /assets/900/a.jpg  cdn pass  no limit  N ms  no key needed',
    ]);
  });

  it('prints the URL of the studio on stderr, whose token gives access to it', async () => {
    const { baseUrl, stop } = await start('--seed', join(folder, 'space.json'));
    const { origin } = new URL(baseUrl);
    const page = await fetch(origin, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('<title>Studio</title>');
    const refused = await fetch(`${origin}/_studio/api/space`);
    const { stdout, stderr } = await stop();
    expect(refused.status).toBe(401);
    expect(stderr).toMatch(new RegExp(`^Studio  ${origin}/#token=[\\w-]{32}$`, 'm'));
    expect(stdout).not.toContain('token');
  });

  it('--studio off leaves the page that explains what this is', async () => {
    const { baseUrl, stop } = await start('--studio', 'off');
    const { origin } = new URL(baseUrl);
    const page = await fetch(origin, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('This is the astro-luid emulator');
    expect((await fetch(`${origin}/_studio/api/space`)).status).toBe(404);
    expect((await stop()).stderr).not.toContain('Studio');
    const { code, stderr } = await run('--studio', 'off', '--open');
    expect(code).toBe(2);
    expect(stderr).toContain('--open opens the studio, which --studio off turns off');
  });

  it.runIf(process.platform === 'linux')(
    '--open opens the studio, and says what to do where there is no browser',
    async () => {
      const programs = await mkdtemp(join(folder, 'programs-'));
      const program = join(programs, 'xdg-open');
      await writeFile(program, `#!/bin/sh\nprintf '%s' "$*" > '${programs}/opened'\n`, { mode: 0o755 });
      const { baseUrl, stop } = await start({ PATH: `${programs}:${process.env.PATH}` }, '--open');
      const opened = () => readFile(join(programs, 'opened'), 'utf8').catch(() => '');
      await expect.poll(opened).toMatch(`${new URL(baseUrl).origin}/#token=`);
      const { stderr } = await stop();
      expect(stderr).toContain(await opened());
      const alone = await start({ PATH: '/nowhere' }, '--open');
      await expect.poll(() => alone.printed.stderr).toContain('Open the URL of the studio above yourself');
      await alone.stop();
    },
  );

  it('stores changes and uploads in the data file, which is enough to restart', async () => {
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

  it('changes that are not in the data file when it stops: exit code 1', async () => {
    const data = join(folder, 'lost.json');
    const { baseUrl, printed, stop } = await start('--seed', join(folder, 'space.json'), '--data', data);
    const [, token] = /#token=(\S+)/.exec(printed.stderr) ?? [];
    await rm(`${data}.lock`);
    const response = await fetch(new URL('/_studio/api/contents/10/draft', baseUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ fields: { title: 'Lost' } }),
    });
    expect(response.status).toBe(500);
    expect((await stop({ code: 1 })).stderr).toMatch(
      /error Not every change is in the data file: The lock .* was removed/,
    );
  });

  it('a damaged data file: exit code 1, and the file is not changed', async () => {
    const data = join(folder, 'broken.json');
    const { code, stdout, stderr } = await run('--data', data);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/broken\.json .* \(it was not changed\)/);
    expect(await readFile(data, 'utf8')).toBe('{"keys": [');
  });

  it('--help lists every option', async () => {
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    for (const option of [
      'seed',
      'port',
      'host',
      'latency',
      'rate-limit',
      'cdn',
      'header',
      'data',
      'log',
      'allowed-hosts',
    ]) {
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
    ['missing.json', 'Cannot read the seed'],
    ['broken.json', 'is not valid JSON'],
    ['bad.json', 'seed.keys[0].key'],
  ])('%s: exit code 1 with the path of the problem', async (file, said) => {
    const { code, stdout, stderr } = await run('--seed', join(folder, file));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(said);
  });
});
