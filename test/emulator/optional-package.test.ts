import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { field } from '../../src/models/field.ts';
import { createImage } from '../conformance/test-images.ts';

const LUID = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const HIDE = new URL('./hide-packages.ts', import.meta.url).href;

let child: ChildProcess;
let baseUrl: string;
let assetsUrl: string;
let stderr = '';

const headers = { 'X-SERVICE-API-KEY': 'draft-key' };
const missing = (name: string) => ({
  status: '501',
  code: 'Not Implemented',
  message: expect.stringMatching(new RegExp(`needs the package ${name} .*npm install ${name}$`)),
});

describe.each([
  ['not installed', 'HIDDEN_PACKAGES'],
  ['empty modules of a bundler', 'EMPTIED_PACKAGES'],
])('without the optional packages (%s)', (_how, variable) => {
  beforeAll(async () => {
    stderr = '';
    child = spawn(process.execPath, ['--import', HIDE, LUID, 'emulator', '--log'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, [variable]: 'turndown,html-to-text,marked,sharp' },
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [line] = (await once(createInterface(child.stdout as NodeJS.ReadableStream), 'line')) as [string];
    [, baseUrl = '', assetsUrl = ''] = line.split(' ');
  });
  afterAll(async () => {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
  });

  it.each([
    ['turndown', 'markdown'],
    ['html-to-text', 'text'],
  ])('%s: a read in that format names it, each time', async (name, format) => {
    for (const attempt of [1, 2]) {
      const response = await fetch(`${baseUrl}/contents?model=article&limit=1&body[format]=${format}`, {
        headers,
      });
      expect([attempt, response.status, await response.json()]).toEqual([attempt, 501, missing(name)]);
    }
  });

  it('marked: a write in Markdown names it', async () => {
    const response = await fetch(`${baseUrl}/contents?model=article&ft_format=markdown`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ fields: { body: '*a*' } }),
    });
    expect([response.status, await response.json()]).toEqual([501, missing('marked')]);
  });

  it('sharp: a resized image and an uploaded one name it; the original is served', async () => {
    const list = await fetch(`${baseUrl}/contents?model=article&limit=1`, { headers });
    const { data } = (await list.json()) as { data: { cover: { url: string } }[] };
    const url = data[0]?.cover.url ?? '';
    expect(url.startsWith(assetsUrl)).toBe(true);
    const resized = await fetch(`${url}?width=100`);
    expect([resized.status, await resized.json()]).toEqual([501, missing('sharp')]);
    expect((await fetch(url)).status).toBe(200);
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(await createImage(4, 4))]), 'a.png');
    const uploaded = await fetch(`${baseUrl}/media`, { method: 'POST', headers, body });
    expect([uploaded.status, await uploaded.json()]).toEqual([501, missing('sharp')]);
  });

  it('the client reports it after one request', async () => {
    const models = { article: { body: field.flexibleText({ format: 'markdown' }) } };
    const client = createClient({ baseUrl, apiKey: 'draft-key', models });
    const before = requests().length;
    const failure = await client.contents.list('article', { limit: 3 }).catch((error: Error) => error);
    expect(failure).toMatchObject({ name: 'LuidRequestError', status: 501, hint: undefined });
    expect((failure as Error).message).toMatch(
      /: 501 The emulator needs the package turndown .*npm install turndown$/,
    );
    expect(requests().slice(before)).toHaveLength(1);
  });

  it('stderr names each package once, without a stack trace', () => {
    for (const name of ['turndown', 'html-to-text', 'marked', 'sharp']) {
      expect(
        stderr.match(new RegExp(`error The emulator needs the package ${name} `, 'g')),
        name,
      ).toHaveLength(1);
    }
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('everything else works', async () => {
    for (const path of ['/contents', '/contents?model=article&body[format]=portable_html']) {
      expect((await fetch(baseUrl + path, { headers })).status).toBe(200);
    }
  });
});

/** The lines of `--log`. */
function requests(): string[] {
  return stderr.split('\n').filter((line) => /^\d\d:\d\d:\d\d /.test(line));
}
