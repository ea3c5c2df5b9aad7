import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { directory } from './conformance-seed.ts';
import { errorBody, startServer } from './http.ts';
import { createImage, createPngWithSize, createZip } from './test-images.ts';
import { createWriter } from './write-requests.ts';

const server = startServer({ rateLimit: false, maxUpload: 100_000 });
const { request, readItem } = server;
const { create, expectRejected, upload } = createWriter(server);

const png = await createImage(40, 20);

server.expectResponseAfterEach();

/** Sends bytes as multipart/form-data with the boundary `line`. */
function raw(body: string | Uint8Array, type = 'multipart/form-data; boundary=line') {
  const init = { method: 'POST', key: 'all', body: body as BodyInit, headers: { 'content-type': type } };
  return () => request('/media', init);
}

const part = (disposition: string, content: string, type = 'text/plain') =>
  `--line\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n--line--\r\n`;

describe('multipart', () => {
  it('bad input: malformed multipart is rejected', async () => {
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
      await expectRejected(raw(body, type), 400, what);
    }
  });

  it('bad input: invalid parameters of an upload are rejected', async () => {
    for (const query of ['alt[xx]=a', 'alt[]=a', 'alt[__proto__]=a', 'alt[EN]=a']) {
      await expectRejected(() => upload(png, 'a.png', { query }), 400, query);
    }
  });
});

describe('files', () => {
  it('bad input: a zip of an image is rejected', async () => {
    const zip = createZip('a.jpg', await createImage(40, 20, 'jpeg'));
    for (const name of ['a.jpg', 'a.JPEG', 'a.png', 'a.webp', 'a.avif']) {
      await expectRejected(() => upload(zip, name), 400, name);
    }
    await expectRejected(() => upload(zip, 'picture', { type: 'image/jpeg' }));
    expect((await upload(zip, 'a.zip')).status).toBe(200);
  });

  it('bad input: an image of 50,000 × 50,000 pixels is rejected', async () => {
    await expectRejected(() => upload(createPngWithSize(50_000, 50_000), 'huge.png'));
    await expectRejected(() => upload(createPngWithSize(2_147_483_647, 2), 'long.png'));
  });

  it('bad input: files that do not match their extension are rejected', async () => {
    for (const content of ['', 'text', '<html>', '\u0089PNG\r\n', 'GIF89a']) {
      await expectRejected(() => upload(content, 'a.png'), 400, JSON.stringify(content));
    }
    await expectRejected(() => upload(png.subarray(0, 20), 'a.png'));
  });

  it('bad input: a truncated image is rejected, or its resized versions are', async () => {
    const response = await upload((await createImage(200, 200, 'jpeg')).subarray(0, 300), 'cut.jpg');
    if (response.status === 400) return;
    const id = await create('author', { fields: { portrait: (response.body as { id: number }).id } });
    const { url } = (await readItem(id, '', 'all')).portrait as { url: string };
    const resized = await fetch(`${url}?width=50`);
    if (resized.status !== 200) expect(await resized.json()).toEqual(errorBody(resized.status));
    else await resized.arrayBuffer();
  });

  it('bad input: names with ../ are rejected and nothing is written', async () => {
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
      await expectRejected(() => upload(png, name), 400, name);
    }
    expect(files()).toEqual(before);
    expect(existsSync(new URL('./evil.png', import.meta.url))).toBe(false);
  });

  it('bad input: other unusual names are sanitized', async () => {
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
      const response = await upload('text', name);
      if (response.status === 400) {
        expect(response.body).toEqual(errorBody(400));
        expect(server.emulator.snapshot()).toEqual(before);
        continue;
      }
      expect(response.status, name).toBe(200);
      const id = await create('author', { fields: { portrait: (response.body as { id: number }).id } });
      const { url } = (await readItem(id, '', 'all')).portrait as { url: string };
      expect(new URL(url).pathname.split('/'), url).toHaveLength(4);
      const served = await fetch(url);
      expect(served.status, url).toBe(200);
      expect(await served.text(), url).toBe('text');
    }
  });
});

describe('uploads over the limit', () => {
  it('§8 an upload over the set limit is rejected', async () => {
    await expectRejected(() => upload('x'.repeat(150_000), 'big.txt'));
    expect((await upload('x'.repeat(90_000), 'fits.txt')).status).toBe(200);
  });

  it('§8 an upload over the set limit is rejected without a content-length', async () => {
    const body = part('form-data; name="file"; filename="a.txt"', 'x'.repeat(150_000));
    const headers = { 'content-type': 'multipart/form-data; boundary=line' };
    const init = { method: 'POST', key: 'all', body: new Blob([body]).stream(), duplex: 'half', headers };
    await expectRejected(() => request('/media', init as RequestInit));
  });
});
