import { existsSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { directory } from './conformance-seed.ts';
import { errorBody, listening } from './http.ts';
import { picture, pngThatClaims, zipOf } from './test-images.ts';
import { writing } from './write-requests.ts';

const server = listening({ rateLimit: false, maxUpload: 100_000 });
const { ask, one, status } = server;
const { create, refused, upload } = writing(server);

const png = await picture(40, 20);

afterEach(async () => {
  expect(await status('/contents?limit=1', 'all')).toBe(200);
});

/** Sends bytes as multipart/form-data with the boundary `line`. */
function raw(body: string | Uint8Array, type = 'multipart/form-data; boundary=line') {
  const init = { method: 'POST', key: 'all', body: body as BodyInit, headers: { 'content-type': type } };
  return () => ask('/media', init);
}

const part = (disposition: string, content: string, type = 'text/plain') =>
  `--line\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n--line--\r\n`;

describe('multipart', () => {
  it('bad input: malformed multipart is refused', async () => {
    const good = part('form-data; name="file"; filename="a.txt"', 'text');
    expect((await raw(good)()).status).toBe(200);
    for (const [what, body, type] of [
      ['empty', '', undefined],
      ['no part', '--line--\r\n', undefined],
      ['no end', good.slice(0, -10), undefined],
      ['cut in the header', good.slice(0, 30), undefined],
      ['another boundary', good, 'multipart/form-data; boundary=other'],
      ['no boundary', good, 'multipart/form-data'],
      ['an empty boundary', good, 'multipart/form-data; boundary='],
      ['another kind of multipart', good, 'multipart/mixed; boundary=line'],
      ['no multipart at all', 'random bytes', undefined],
      ['no name', part('form-data; filename="a.txt"', 'text'), undefined],
      ['no disposition', '--line\r\n\r\ntext\r\n--line--\r\n', undefined],
      ['another name', part('form-data; name="files"; filename="a.txt"', 'text'), undefined],
      ['no file name', part('form-data; name="file"', 'text'), undefined],
    ] as const) {
      await refused(raw(body, type), 400, what);
    }
  });

  it('bad input: parameters beside the file that cannot be are refused', async () => {
    for (const query of ['alt[xx]=a', 'alt[]=a', 'alt[__proto__]=a', 'alt[EN]=a']) {
      await refused(() => upload(png, 'a.png', { query }), 400, query);
    }
  });
});

describe('files', () => {
  it('bad input: a zip of an image is refused', async () => {
    const zip = zipOf('a.jpg', await picture(40, 20, 'jpeg'));
    for (const name of ['a.jpg', 'a.JPEG', 'a.png', 'a.webp', 'a.avif']) {
      await refused(() => upload(zip, name), 400, name);
    }
    await refused(() => upload(zip, 'picture', { type: 'image/jpeg' }));
    expect((await upload(zip, 'a.zip')).status).toBe(200);
  });

  it('bad input: an image of 50,000 × 50,000 pixels is refused', async () => {
    await refused(() => upload(pngThatClaims(50_000, 50_000), 'huge.png'));
    await refused(() => upload(pngThatClaims(2_147_483_647, 2), 'long.png'));
  });

  it('bad input: files that are not what their name says are refused', async () => {
    for (const content of ['', 'text', '<html>', '\u0089PNG\r\n', 'GIF89a']) {
      await refused(() => upload(content, 'a.png'), 400, JSON.stringify(content));
    }
    await refused(() => upload(png.subarray(0, 20), 'a.png'));
  });

  it('bad input: a picture whose data is cut is refused, or its versions are', async () => {
    const answer = await upload((await picture(200, 200, 'jpeg')).subarray(0, 300), 'cut.jpg');
    if (answer.status === 400) return;
    const id = await create('author', { fields: { portrait: (answer.body as { id: number }).id } });
    const { url } = (await one(id, '', 'all')).portrait as { url: string };
    const response = await fetch(`${url}?width=50`);
    if (response.status !== 200) expect(await response.json()).toEqual(errorBody(response.status));
    else await response.arrayBuffer();
  });

  it('bad input: names with ../ are refused, and nothing is written anywhere', async () => {
    const files = () => readdirSync(directory).sort();
    const before = files();
    for (const name of [
      '../evil.png',
      '../../evil.png',
      'a/../../evil.png',
      '..\\evil.png',
      '..',
      '../',
      '/../x',
    ]) {
      await refused(() => upload(png, name), 400, name);
    }
    expect(files()).toEqual(before);
    expect(existsSync(new URL('./evil.png', import.meta.url))).toBe(false);
  });

  it('bad input: other odd names are made harmless', async () => {
    for (const name of [
      '/etc/passwd',
      'C:\\files\\a.txt',
      'a\u0000b.txt',
      'a\r\nb.txt',
      ' ',
      '.',
      'x'.repeat(500),
    ]) {
      const before = server.emulator.snapshot();
      const answer = await upload('text', name);
      if (answer.status === 400) {
        expect(answer.body).toEqual(errorBody(400));
        expect(server.emulator.snapshot()).toEqual(before);
        continue;
      }
      expect(answer.status, name).toBe(200);
      const id = await create('author', { fields: { portrait: (answer.body as { id: number }).id } });
      const { url } = (await one(id, '', 'all')).portrait as { url: string };
      expect(new URL(url).pathname.split('/'), url).toHaveLength(4);
      const response = await fetch(url);
      expect(response.status, url).toBe(200);
      expect(await response.text(), url).toBe('text');
    }
  });
});

describe('uploads over the limit', () => {
  it('§8 an upload over the set limit is refused', async () => {
    await refused(() => upload('x'.repeat(150_000), 'big.txt'));
    expect((await upload('x'.repeat(90_000), 'fits.txt')).status).toBe(200);
  });

  it('§8 an upload over the set limit is refused without a content-length', async () => {
    const body = part('form-data; name="file"; filename="a.txt"', 'x'.repeat(150_000));
    const headers = { 'content-type': 'multipart/form-data; boundary=line' };
    const init = { method: 'POST', key: 'all', body: new Blob([body]).stream(), duplex: 'half', headers };
    await refused(() => ask('/media', init as RequestInit));
  });
});
