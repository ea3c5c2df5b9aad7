import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startServer } from './http.ts';
import { createImage } from './test-images.ts';
import { createWriter } from './write-requests.ts';

const server = startServer({ rateLimit: false });
const { request, readItem } = server;
const { create, deleteMedia, patch, expectRejected, send, upload, uploadMedia } = createWriter(server);

const png = await createImage(40, 20);

/** What an author shows whose portrait is the media. */
async function shown(media: number, lang = 'ja'): Promise<{ url: string; alt: string }> {
  const fields = { name: 'x', portrait: media };
  const id = await create('author', { fields, 'fields[en]': fields, 'fields[fr]': fields });
  return (await readItem(id, `lang=${lang}`, 'all')).portrait as { url: string; alt: string };
}

describe('POST /media', () => {
  it('§4.7 the response is the id of a new media', async () => {
    const id = await uploadMedia(png, 'board.png');
    expect(Number.isSafeInteger(id)).toBe(true);
    expect([900, 901, 902]).not.toContain(id);
    expect(await uploadMedia(png, 'board.png')).not.toBe(id);
  });

  it('§4.7 the file is served under the assets URL, byte for byte', async () => {
    const { url } = await shown(await uploadMedia(png, 'board.png'));
    expect(url).toMatch(new RegExp(`^${server.emulator.assetsUrl}/\\d+/board\\.png$`));
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(png);
  });

  it('§4.7 any kind of file is accepted', async () => {
    for (const [name, type] of [
      ['paper.pdf', 'application/pdf'],
      ['archive.zip', ''],
      ['notes.txt', 'text/plain'],
      ['no-extension', ''],
    ] as const) {
      const { url } = await shown(await uploadMedia('some bytes', name));
      const response = await fetch(url);
      expect(await response.text(), name).toBe('some bytes');
      if (type) expect(response.headers.get('content-type'), name).toContain(type);
    }
  });

  it('§4.7 alt is the alternative text of the main language', async () => {
    const id = await uploadMedia(png, 'a.png', `alt=${encodeURIComponent('板 & "more"')}`);
    expect((await shown(id)).alt).toBe('板 & "more"');
    expect((await shown(id, 'en')).alt).toBe('板 & "more"');
  });

  it('§4.7 alt is empty by default', async () => {
    expect((await shown(await uploadMedia(png, 'a.png'))).alt).toBe('');
  });

  it('§4.7 alt[lang] is the alternative text of a language', async () => {
    const id = await uploadMedia(png, 'a.png', `alt=${encodeURIComponent('板')}&alt[en]=board`);
    expect((await shown(id)).alt).toBe('板');
    expect((await shown(id, 'en')).alt).toBe('board');
    expect((await shown(id, 'fr')).alt).toBe('板');
    const encoded = await uploadMedia(png, 'a.png', 'alt%5Bfr%5D=planche');
    expect((await shown(encoded, 'fr')).alt).toBe('planche');
  });

  it('§4.7 alt of a language that the space does not have is rejected', async () => {
    await expectRejected(() => upload(png, 'a.png', { query: 'alt[de]=Brett' }));
  });

  it('§4.7 a name with special characters is served under its url', async () => {
    for (const name of ['青 い.png', 'a b&c=d?e#f.png', '100%.png', 'a%2fb.png', "it's.png"]) {
      const { url } = await shown(await uploadMedia(png, name));
      const response = await fetch(url);
      expect(response.status, `${name} ${url}`).toBe(200);
      expect(new URL(url).search, name).toBe('');
      expect(new Uint8Array(await response.arrayBuffer()), name).toEqual(png);
    }
  });

  it('§4.7 the body must have a file', async () => {
    const form = new FormData();
    form.append('document', new Blob([png as BlobPart]), 'a.png');
    await expectRejected(() => request('/media', { method: 'POST', key: 'all', body: form }));
    const text = new FormData();
    text.append('file', 'no file but a text');
    await expectRejected(() => request('/media', { method: 'POST', key: 'all', body: text }));
    await expectRejected(() => request('/media', { method: 'POST', key: 'all', body: new FormData() }));
  });

  it('§4.7 other parts of the form are ignored', async () => {
    const form = new FormData();
    form.append('comment', 'before');
    form.append('file', new Blob([png as BlobPart]), 'a.png');
    form.append('submit', 'after');
    const { status } = await request('/media', { method: 'POST', key: 'all', body: form });
    expect(status).toBe(200);
  });

  it('§4.7 the body must be multipart/form-data', async () => {
    await expectRejected(() => send('POST', '/media', { file: 'x' }));
    await expectRejected(() => request('/media', { method: 'POST', key: 'all' }));
    await expectRejected(() =>
      request('/media', { method: 'POST', key: 'all', body: new URLSearchParams({ file: 'x' }) }),
    );
    const headers = { 'content-type': 'image/png' };
    await expectRejected(() =>
      request('/media', { method: 'POST', key: 'all', body: png as BodyInit, headers }),
    );
  });

  it('§4.7 media has no other write endpoints', async () => {
    for (const [method, path] of [
      ['GET', '/media'],
      ['GET', '/media/900'],
      ['PUT', '/media/900'],
      ['PATCH', '/media/900'],
      ['DELETE', '/media'],
      ['POST', '/media/900'],
    ] as const) {
      await expectRejected(() => request(path, { method, key: 'all' }), 404, `${method} ${path}`);
    }
  });
});

describe('DELETE /media/{media_id}', () => {
  it('§4.8 the response is the id of the media', async () => {
    const id = await uploadMedia(png, 'a.png');
    const { status, body } = await deleteMedia(id);
    expect(status).toBe(200);
    expect(body).toEqual({ id });
  });

  it('§4.8 deleted media disappears: fields are empty, its url is not found', async () => {
    const media = await uploadMedia(png, 'a.png');
    const fields = { portrait: media };
    const id = await create('author', { fields, 'fields[en]': fields }, 'published=true');
    const { url } = (await readItem(id)).portrait as { url: string };
    expect((await fetch(url)).status).toBe(200);
    await deleteMedia(media);
    expect((await readItem(id)).portrait).toBeNull();
    expect((await readItem(id, 'lang=en')).portrait).toBeNull();
    const gone = await fetch(url);
    expect(gone.status).toBe(404);
    expect(await gone.json()).toEqual({ status: '404', code: 'Not Found' });
    expect((await fetch(`${url}?width=10`)).status).toBe(404);
  });

  it('§4.8 deleted media is empty inside repeats, combinations and field sets', async () => {
    const media = await uploadMedia(png, 'a.png');
    const id = await create('article', {
      fields: {
        related: [{ picture: media }],
        sections: [{ luid: 'hero', fields: { image: media } }],
        seo: { picture: media },
      },
    });
    await deleteMedia(media);
    expect(await readItem(id, '', 'all')).toMatchObject({
      related: [{ picture: null }],
      sections: [{ luid: 'hero', fields: { image: null } }],
      seo: { picture: null },
    });
  });

  it('§4.8 the id of deleted media is not reused, and cannot be written', async () => {
    const media = await uploadMedia(png, 'a.png');
    await deleteMedia(media);
    const next = await uploadMedia(png, 'b.png');
    expect(next).not.toBe(media);
    await expectRejected(() => send('POST', '/contents?model=author', { fields: { portrait: media } }));
  });

  it('§4.8 content with deleted media can still be updated', async () => {
    const media = await uploadMedia(png, 'a.png');
    const id = await create('author', { fields: { name: 'x', portrait: media } });
    await deleteMedia(media);
    await patch(id, 'author', { fields: { name: 'y' } });
    expect(await readItem(id, '', 'all')).toMatchObject({ name: 'y', portrait: null });
  });

  it('§4.8 unknown media is not found, nor media that was deleted before', async () => {
    const media = await uploadMedia(png, 'a.png');
    await deleteMedia(media);
    await expectRejected(() => deleteMedia(media), 404);
    await expectRejected(() => deleteMedia(999999), 404);
    await expectRejected(() => deleteMedia(101), 404);
  });

  it('§4.8 media of the seed is deleted too, and its file stays where it is', async () => {
    expect((await readItem(102)).cover).not.toBeNull();
    expect((await deleteMedia(902)).status).toBe(200);
    expect((await readItem(102)).cover).toBeNull();
    expect((await fetch(`${server.emulator.assetsUrl}/902/dot.svg`)).status).toBe(404);
    expect(existsSync(new URL('./assets/dot.svg', import.meta.url))).toBe(true);
  });

  it('§4.8 media_id is an integer', async () => {
    for (const id of ['x', '-1', '0', '1.5', '%00', '900x', '9'.repeat(40)]) {
      const response = await deleteMedia(id);
      expect([400, 404], id).toContain(response.status);
      expect(response.body, id).toEqual(expect.objectContaining({ status: String(response.status) }));
    }
  });
});
