import { beforeAll, describe, expect, it } from 'vitest';
import { listening } from './http.ts';
import { picture } from './test-images.ts';
import { idOf, writing } from './write-requests.ts';

const server = listening({ rateLimit: false });
const { ask, one, status } = server;
const { create, duplicate, patch, replace, upload, deleteMedia } = writing(server);

beforeAll(() => server.emulator.clock.set('2026-08-01T00:00:00Z'));

const title = (title: string) => ({ fields: { title } });
const statusOf = async (id: number) => (await one(id, '', 'all'))._status;

describe('write results', () => {
  it('§2.4 content create, replace, patch and duplicate answer with an id', async () => {
    const id = await create('filler', title('x'));
    expect(await replace(id, 'filler', title('y'))).toBe(id);
    expect(await patch(id, 'filler', title('z'))).toBe(id);
    expect(await duplicate(id)).not.toBe(id);
  });

  it('§2.4 media upload and delete answer with an id', async () => {
    const id = idOf(await upload(await picture(4, 4), 'a.png'));
    expect(idOf(await deleteMedia(id))).toBe(id);
  });

  it('§4 every answer to a write is JSON of known length', async () => {
    const answer = await ask('/contents/1001/duplicate', { method: 'POST', key: 'all' });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(answer.text)));
  });
});

describe('from state to state, by requests', () => {
  it('§3 POST /contents with published=false gives a draft', async () => {
    expect(await statusOf(await create('filler', title('x'), 'published=false'))).toBe('draft');
  });

  it('§3 POST /contents with published=true gives published content', async () => {
    expect(await statusOf(await create('filler', title('x'), 'published=true'))).toBe('published');
  });

  it('§3 PUT and PATCH of the draft: draft stays draft', async () => {
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
      expect((await one(id)).title).toBe('y');
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
    expect((await one(id, '', 'all')).title).toBe('draft');
    await replace(id, 'filler', title('z'), 'published=true');
    expect(await statusOf(id)).toBe('published');
  });

  it('§3 an editor publishes, discards and archives what was written', async () => {
    const { contents } = server.emulator;
    const id = await create('filler', title('x'));
    contents.publish(id);
    expect((await one(id)).title).toBe('x');
    await patch(id, 'filler', title('y'));
    contents.discardDraft(id);
    expect(await one(id, '', 'all')).toMatchObject({ title: 'x', _status: 'published' });
    contents.archive(id);
    expect(await status(`/contents/${id}`, 'all')).toBe(404);
    contents.restore(id);
    await patch(id, 'filler', title('z'), 'published=true');
    expect((await one(id)).title).toBe('z');
  });

  it('§3 a draft that a PATCH left beside published data can be discarded: its time goes back', async () => {
    const id = await create('filler', title('x'), 'published=true');
    const before = await one(id, '', 'all');
    server.emulator.clock.advance(60_000);
    await patch(id, 'filler', title('y'));
    server.emulator.contents.discardDraft(id);
    expect(await one(id, '', 'all')).toEqual(before);
  });

  it('§3 what is published beside a draft stays when the draft is discarded, and so does its time', async () => {
    const id = await create('filler', title('x'), 'published=true');
    server.emulator.clock.advance(60_000);
    await patch(id, 'filler', title('draft'));
    server.emulator.clock.advance(60_000);
    await patch(id, 'filler', title('y'), 'published=true');
    const { _updated_at } = await one(id, '', 'pub');
    server.emulator.clock.advance(60_000);
    await patch(id, 'filler', title('draft again'));
    server.emulator.contents.discardDraft(id);
    expect(await one(id, '', 'all')).toMatchObject({ title: 'y', _status: 'published', _updated_at });
  });

  it('§9 writes are under the same prefix, and there are no others', async () => {
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
