import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listening } from './http.ts';
import { picture } from './test-images.ts';
import { writing } from './write-requests.ts';

const server = listening({ rateLimit: false });
const { ask, one } = server;
const { create, deleteMedia, patch, refused, send, upload, uploaded } = writing(server);

const png = await picture(40, 20);

/** What an author shows whose portrait is the media. */
async function shown(media: number, lang = 'ja'): Promise<{ url: string; alt: string }> {
  const fields = { name: 'x', portrait: media };
  const id = await create('author', { fields, 'fields[en]': fields, 'fields[fr]': fields });
  return (await one(id, `lang=${lang}`, 'all')).portrait as { url: string; alt: string };
}

describe('POST /media', () => {
  it('§4.7 the answer is the id of a new media', async () => {
    const id = await uploaded(png, 'board.png');
    expect(Number.isSafeInteger(id)).toBe(true);
    expect([900, 901, 902]).not.toContain(id);
    expect(await uploaded(png, 'board.png')).not.toBe(id);
  });

  it('§4.7 the file is served under the assets address, byte for byte', async () => {
    const { url } = await shown(await uploaded(png, 'board.png'));
    expect(url).toMatch(new RegExp(`^${server.emulator.assetsUrl}/\\d+/board\\.png$`));
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(png);
  });

  it('§4.7 any kind of file is taken', async () => {
    for (const [name, type] of [
      ['paper.pdf', 'application/pdf'],
      ['archive.zip', ''],
      ['notes.txt', 'text/plain'],
      ['no-extension', ''],
    ] as const) {
      const { url } = await shown(await uploaded('some bytes', name));
      const response = await fetch(url);
      expect(await response.text(), name).toBe('some bytes');
      if (type) expect(response.headers.get('content-type'), name).toContain(type);
    }
  });

  it('§4.7 alt is the alternative text of the main language', async () => {
    const id = await uploaded(png, 'a.png', `alt=${encodeURIComponent('板 & "more"')}`);
    expect((await shown(id)).alt).toBe('板 & "more"');
    expect((await shown(id, 'en')).alt).toBe('板 & "more"');
  });

  it('§4.7 alt is empty where none is given', async () => {
    expect((await shown(await uploaded(png, 'a.png'))).alt).toBe('');
  });

  it('§4.7 alt[lang] is the alternative text of a language', async () => {
    const id = await uploaded(png, 'a.png', `alt=${encodeURIComponent('板')}&alt[en]=board`);
    expect((await shown(id)).alt).toBe('板');
    expect((await shown(id, 'en')).alt).toBe('board');
    expect((await shown(id, 'fr')).alt).toBe('板');
    const encoded = await uploaded(png, 'a.png', 'alt%5Bfr%5D=planche');
    expect((await shown(encoded, 'fr')).alt).toBe('planche');
  });

  it('§4.7 alt of a language that the space does not have is refused', async () => {
    await refused(() => upload(png, 'a.png', { query: 'alt[de]=Brett' }));
  });

  it('§4.7 a name with signs of all kinds is served under its own url', async () => {
    for (const name of ['青 い.png', 'a b&c=d?e#f.png', '100%.png', 'a%2fb.png', "it's.png"]) {
      const { url } = await shown(await uploaded(png, name));
      const response = await fetch(url);
      expect(response.status, `${name} ${url}`).toBe(200);
      expect(new URL(url).search, name).toBe('');
      expect(new Uint8Array(await response.arrayBuffer()), name).toEqual(png);
    }
  });

  it('§4.7 the body must have a file', async () => {
    const form = new FormData();
    form.append('document', new Blob([png as BlobPart]), 'a.png');
    await refused(() => ask('/media', { method: 'POST', key: 'all', body: form }));
    const text = new FormData();
    text.append('file', 'no file but a text');
    await refused(() => ask('/media', { method: 'POST', key: 'all', body: text }));
    await refused(() => ask('/media', { method: 'POST', key: 'all', body: new FormData() }));
  });

  it('§4.7 parts beside the file are passed over', async () => {
    const form = new FormData();
    form.append('comment', 'before');
    form.append('file', new Blob([png as BlobPart]), 'a.png');
    form.append('submit', 'after');
    const { status } = await ask('/media', { method: 'POST', key: 'all', body: form });
    expect(status).toBe(200);
  });

  it('§4.7 the body must be multipart/form-data', async () => {
    await refused(() => send('POST', '/media', { file: 'x' }));
    await refused(() => ask('/media', { method: 'POST', key: 'all' }));
    await refused(() =>
      ask('/media', { method: 'POST', key: 'all', body: new URLSearchParams({ file: 'x' }) }),
    );
    const headers = { 'content-type': 'image/png' };
    await refused(() => ask('/media', { method: 'POST', key: 'all', body: png as BodyInit, headers }));
  });

  it('§4.7 media has no other ways in', async () => {
    for (const [method, path] of [
      ['GET', '/media'],
      ['GET', '/media/900'],
      ['PUT', '/media/900'],
      ['PATCH', '/media/900'],
      ['DELETE', '/media'],
      ['POST', '/media/900'],
    ] as const) {
      await refused(() => ask(path, { method, key: 'all' }), 404, `${method} ${path}`);
    }
  });
});

describe('DELETE /media/{media_id}', () => {
  it('§4.8 the answer is the id of the media', async () => {
    const id = await uploaded(png, 'a.png');
    const { status, body } = await deleteMedia(id);
    expect(status).toBe(200);
    expect(body).toEqual({ id });
  });

  it('§4.8 deleted media is gone: fields are empty, its url is not found', async () => {
    const media = await uploaded(png, 'a.png');
    const fields = { portrait: media };
    const id = await create('author', { fields, 'fields[en]': fields }, 'published=true');
    const { url } = (await one(id)).portrait as { url: string };
    expect((await fetch(url)).status).toBe(200);
    await deleteMedia(media);
    expect((await one(id)).portrait).toBeNull();
    expect((await one(id, 'lang=en')).portrait).toBeNull();
    const gone = await fetch(url);
    expect(gone.status).toBe(404);
    expect(await gone.json()).toEqual({ status: '404', code: 'Not Found' });
    expect((await fetch(`${url}?width=10`)).status).toBe(404);
  });

  it('§4.8 deleted media is empty inside repeats, combinations and field sets', async () => {
    const media = await uploaded(png, 'a.png');
    const id = await create('article', {
      fields: {
        related: [{ picture: media }],
        sections: [{ luid: 'hero', fields: { image: media } }],
        seo: { picture: media },
      },
    });
    await deleteMedia(media);
    expect(await one(id, '', 'all')).toMatchObject({
      related: [{ picture: null }],
      sections: [{ luid: 'hero', fields: { image: null } }],
      seo: { picture: null },
    });
  });

  it('§4.8 the id of deleted media is not given again, and cannot be written', async () => {
    const media = await uploaded(png, 'a.png');
    await deleteMedia(media);
    const next = await uploaded(png, 'b.png');
    expect(next).not.toBe(media);
    await refused(() => send('POST', '/contents?model=author', { fields: { portrait: media } }));
  });

  it('§4.8 content with deleted media can still be updated', async () => {
    const media = await uploaded(png, 'a.png');
    const id = await create('author', { fields: { name: 'x', portrait: media } });
    await deleteMedia(media);
    await patch(id, 'author', { fields: { name: 'y' } });
    expect(await one(id, '', 'all')).toMatchObject({ name: 'y', portrait: null });
  });

  it('§4.8 media that is not there is not found, also a second time', async () => {
    const media = await uploaded(png, 'a.png');
    await deleteMedia(media);
    await refused(() => deleteMedia(media), 404);
    await refused(() => deleteMedia(999999), 404);
    await refused(() => deleteMedia(101), 404);
  });

  it('§4.8 media of the seed is deleted too, and its file stays where it is', async () => {
    expect((await one(102)).cover).not.toBeNull();
    expect((await deleteMedia(902)).status).toBe(200);
    expect((await one(102)).cover).toBeNull();
    expect((await fetch(`${server.emulator.assetsUrl}/902/dot.svg`)).status).toBe(404);
    expect(existsSync(new URL('./assets/dot.svg', import.meta.url))).toBe(true);
  });

  it('§4.8 media_id is an integer', async () => {
    for (const id of ['x', '-1', '0', '1.5', '%00', '900x', '9'.repeat(40)]) {
      const answer = await deleteMedia(id);
      expect([400, 404], id).toContain(answer.status);
      expect(answer.body, id).toEqual(expect.objectContaining({ status: String(answer.status) }));
    }
  });
});
