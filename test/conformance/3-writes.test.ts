import { beforeAll, describe, expect, it } from 'vitest';
import { startServer } from './http.ts';
import { createImage } from './test-images.ts';
import { createWriter, idOf } from './write-requests.ts';

const server = startServer({ rateLimit: false });
const { request, readItem, status } = server;
const { create, duplicate, patch, replace, upload, deleteMedia } = createWriter(server);

beforeAll(() => server.emulator.clock.set('2026-08-01T00:00:00Z'));

const title = (title: string) => ({ fields: { title } });
const statusOf = async (id: number) => (await readItem(id, '', 'all'))._status;

describe('write results', () => {
  it('§2.4 content create, replace, patch and duplicate return an id', async () => {
    const id = await create('filler', title('x'));
    expect(await replace(id, 'filler', title('y'))).toBe(id);
    expect(await patch(id, 'filler', title('z'))).toBe(id);
    expect(await duplicate(id)).not.toBe(id);
  });

  it('§2.4 media upload and delete return an id', async () => {
    const id = idOf(await upload(await createImage(4, 4), 'a.png'));
    expect(idOf(await deleteMedia(id))).toBe(id);
  });

  it('§4 every response to a write is JSON with a content length', async () => {
    const response = await request('/contents/1001/duplicate', { method: 'POST', key: 'all' });
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(response.text)));
  });
});

describe('from state to state, by requests', () => {
  it('§3 POST /contents with published=false creates a draft', async () => {
    expect(await statusOf(await create('filler', title('x'), 'published=false'))).toBe('draft');
  });

  it('§3 POST /contents with published=true creates published content', async () => {
    expect(await statusOf(await create('filler', title('x'), 'published=true'))).toBe('published');
  });

  it('§3 PUT and PATCH of the draft: a draft stays a draft', async () => {
    const id = await create('filler', title('x'));
    await replace(id, 'filler', title('y'));
    expect(await statusOf(id)).toBe('draft');
    await patch(id, 'filler', title('z'));
    expect(await statusOf(id)).toBe('draft');
  });

  it('§3 PUT and PATCH of the draft: published becomes published_draft', async () => {
    for (const write of [replace, patch]) {
      const id = await create('filler', title('x'), 'published=true');
      await write(id, 'filler', title('y'));
      expect(await statusOf(id)).toBe('published_draft');
      await write(id, 'filler', title('z'));
      expect(await statusOf(id)).toBe('published_draft');
    }
  });

  it('§3 PUT and PATCH of the published data: draft becomes published', async () => {
    for (const write of [replace, patch]) {
      const id = await create('filler', title('x'));
      await write(id, 'filler', title('y'), 'published=true');
      expect(await statusOf(id)).toBe('published');
      expect((await readItem(id)).title).toBe('y');
    }
  });

  it('§3 PUT and PATCH of the published data: published stays published', async () => {
    for (const write of [replace, patch]) {
      const id = await create('filler', title('x'), 'published=true');
      await write(id, 'filler', title('y'), 'published=true');
      expect(await statusOf(id)).toBe('published');
    }
  });

  it('§3 PUT of the published data drops the draft, PATCH leaves it', async () => {
    const id = await create('filler', title('x'), 'published=true');
    await patch(id, 'filler', title('draft'));
    await patch(id, 'filler', title('y'), 'published=true');
    expect(await statusOf(id)).toBe('published_draft');
    expect((await readItem(id, '', 'all')).title).toBe('draft');
    await replace(id, 'filler', title('z'), 'published=true');
    expect(await statusOf(id)).toBe('published');
  });

  it('§3 an editor publishes, discards and archives written content', async () => {
    const { contents } = server.emulator;
    const id = await create('filler', title('x'));
    contents.publish(id);
    expect((await readItem(id)).title).toBe('x');
    await patch(id, 'filler', title('y'));
    contents.discardDraft(id);
    expect(await readItem(id, '', 'all')).toMatchObject({ title: 'x', _status: 'published' });
    contents.archive(id);
    expect(await status(`/contents/${id}`, 'all')).toBe(404);
    contents.restore(id);
    await patch(id, 'filler', title('z'), 'published=true');
    expect((await readItem(id)).title).toBe('z');
  });

  it('§3 a draft that remains after a PATCH can be discarded, which restores the time', async () => {
    const id = await create('filler', title('x'), 'published=true');
    const before = await readItem(id, '', 'all');
    server.emulator.clock.advance(60_000);
    await patch(id, 'filler', title('y'));
    server.emulator.contents.discardDraft(id);
    expect(await readItem(id, '', 'all')).toEqual(before);
  });

  it('§3 discarding a draft leaves the published data and its time', async () => {
    const id = await create('filler', title('x'), 'published=true');
    server.emulator.clock.advance(60_000);
    await patch(id, 'filler', title('draft'));
    server.emulator.clock.advance(60_000);
    await patch(id, 'filler', title('y'), 'published=true');
    const { _updated_at } = await readItem(id, '', 'pub');
    server.emulator.clock.advance(60_000);
    await patch(id, 'filler', title('draft again'));
    server.emulator.contents.discardDraft(id);
    expect(await readItem(id, '', 'all')).toMatchObject({ title: 'y', _status: 'published', _updated_at });
  });

  it('§9 writes are under the same prefix and under no other', async () => {
    const { origin } = new URL(server.emulator.baseUrl);
    for (const path of ['/contents?model=filler', '/v2/contents?model=filler']) {
      const response = await fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { 'X-SERVICE-API-KEY': 'all', 'content-type': 'application/json' },
        body: JSON.stringify(title('x')),
      });
      expect(response.status, path).toBe(404);
    }
  });
});
