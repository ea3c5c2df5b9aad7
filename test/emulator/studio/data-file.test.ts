import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SPACE } from '../small-seed.ts';
import { openStudio } from './studio-client.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'astro-luid-studio-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the studio with a data file', () => {
  it.each([
    ['contents/10/draft', { fields: { title: 'Stored' } }],
    ['contents', { model: 'article', fields: { title: 'Stored' } }],
    ['media/900/alt', { alt: 'Stored' }],
  ])('responds to POST %s when the change is in the file', async (path, body) => {
    const data = join(folder, 'space.json');
    const { post, emulator } = openStudio(SPACE, { data });
    expect((await post(path, body)).status).toBe(200);
    expect(await readFile(data, 'utf8')).toContain('Stored');
    await emulator.close();
  });

  it('reports a change that cannot be written, which stays in memory', async () => {
    const errors: unknown[] = [];
    const data = join(folder, 'space.json');
    const { post, item, emulator } = openStudio(SPACE, { data, onError: (error) => errors.push(error) });
    await emulator.saved();
    await rm(folder, { recursive: true });
    const { status, body } = await post('contents/10/draft', { fields: { title: 'Lost' } });
    expect(status).toBe(500);
    expect(body.message).toMatch(
      /^The change is in memory, but not in the data file: The lock .* was removed/,
    );
    expect((await item(10)).draft?.ja?.title).toBe('Lost');
    expect(errors).toHaveLength(1);
  });
});
