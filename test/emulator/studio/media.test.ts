import { describe, expect, it } from 'vitest';
import type { MediaPage, MediaRow } from '../../../src/emulator/studio/studio-types.ts';
import { readItem, SPACE } from '../small-seed.ts';
import { openStudio, tokenOf } from './studio-client.ts';

type StudioClient = ReturnType<typeof openStudio>;

async function upload({ emulator }: StudioClient, file: File, query = '') {
  const body = new FormData();
  body.set('file', file);
  const headers = { authorization: `Bearer ${tokenOf(emulator)}` };
  const url = `${emulator.origin}/_studio/api/media${query}`;
  const response = await emulator.fetch(url, { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as MediaRow };
}

describe('media in the studio', () => {
  it('are listed newest first and found by id, name and alternative text', async () => {
    const media = [
      { id: 900, file: 'a.jpg', alt: { ja: '絵' } },
      { id: 901, file: 'b/plan.pdf', alt: 'A plan' },
      { id: 902, file: 'c.svg', archived: true },
    ];
    const { get } = openStudio({ ...SPACE, media });
    const names = async (query: string) =>
      (await get<MediaPage>(`media?${query}`)).body.rows.map(({ name }) => name);
    expect(await names('')).toEqual(['c.svg', 'plan.pdf', 'a.jpg']);
    expect(await names('search=plan')).toEqual(['plan.pdf']);
    expect(await names('search=%E7%B5%B5')).toEqual(['a.jpg']);
    expect(await names('search=902')).toEqual(['c.svg']);
    expect(await names('offset=1&limit=1')).toEqual(['plan.pdf']);
    expect(await names('ids=900,902,5')).toEqual(['c.svg', 'a.jpg']);
    expect(await names('ids=__proto__')).toEqual([]);
    const { body } = await get<MediaPage>('media');
    expect(body.rows.map(({ isImage, url }) => [isImage, url])).toEqual([
      [true, undefined],
      [false, 'http://luid.test/assets/901/plan.pdf'],
      [true, 'http://luid.test/assets/900/a.jpg'],
    ]);
  });

  it('are uploaded with alternative texts per language, and served', async () => {
    const studio = openStudio();
    const file = new File(['hello'], '<img src=x onerror=alert(1)>.txt', { type: 'text/plain' });
    const { status, body } = await upload(studio, file, '?alt=%E7%B5%B5&alt%5Ben%5D=a%20picture');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 901, isImage: false, alt: { ja: '絵', en: 'a picture' } });
    expect(body.name).toBe('<img src=x onerror=alert(1)>.txt');
    const served = await studio.emulator.fetch(body.url ?? '');
    expect(await served.text()).toBe('hello');
    expect(served.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('are shown by the page without being requests of a site', async () => {
    const studio = openStudio();
    const { body } = await upload(
      studio,
      new File(['<svg onload="alert(1)"/>'], 'a b.svg', { type: 'image/svg+xml' }),
    );
    const { emulator } = studio;
    emulator.faults.add({ kind: 'reset' });
    const url = `${emulator.origin}/_studio/assets/${body.id}/a%20b.svg`;
    const served = await emulator.fetch(url);
    expect(await served.text()).toContain('<svg');
    expect(served.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    expect((await emulator.fetch(`${emulator.origin}/_studio/assets/../api/space`)).status).toBe(401);
    expect((await emulator.fetch(`${emulator.origin}/_studio/assets/999/x`)).status).toBe(404);
    expect(emulator.log).toEqual([]);
  });

  it('are refused as the service refuses them', async () => {
    const studio = openStudio();
    const { status } = await upload(studio, new File(['x'], '../../a.txt'));
    expect(status).toBe(400);
    expect((await upload(studio, new File(['x'], 'a.txt'), '?alt%5Bfr%5D=x')).status).toBe(400);
    expect((await studio.post('media', {})).status).toBe(400);
  });

  it('get another alternative text in one language, which content shows', async () => {
    const studio = openStudio();
    const { body } = await studio.post<MediaRow>('media/900/alt', { lang: 'en', alt: 'a picture' });
    expect(body.alt).toEqual({ ja: '絵', en: 'a picture' });
    await studio.post('media/900/alt', { lang: 'ja', alt: '写真' });
    expect((await readItem(studio.emulator, 1)).portrait.alt).toBe('写真');
  });

  it('are archived, restored and removed', async () => {
    const { post, emulator } = openStudio();
    const portrait = async () => (await readItem(emulator, 1)).portrait;
    expect((await post<MediaRow>('media/900/archive')).body).toMatchObject({ archived: true });
    expect(await portrait()).toBeNull();
    expect((await post<MediaRow>('media/900/restore')).body).toMatchObject({ archived: false });
    expect(await portrait()).not.toBeNull();
    expect((await post<MediaRow>('media/900/remove')).status).toBe(200);
    expect(await portrait()).toBeNull();
  });

  it.each([
    ['900/alt', {}, 400],
    ['900/alt', { alt: 5 }, 400],
    ['900/alt', { alt: 'x', lang: 'fr' }, 400],
    ['900/alt', { alt: 'x', lang: 5 }, 400],
    ['999/archive', {}, 404],
    ['x/archive', {}, 404],
    ['900/explode', {}, 404],
    ['900/constructor', {}, 404],
  ])('POST media/%s with %j is refused', async (path, body, status) => {
    const { post } = openStudio();
    expect((await post(`media/${path}`, body)).status).toBe(status);
  });
});
