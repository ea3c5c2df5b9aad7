import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { remainingTime } from '../../../src/cli/restore/remaining-time.ts';
import type { Seed } from '../../../src/emulator/index.ts';
import { type BackupProject, emptied, filesBelow, openBackupProject } from '../support/backup-project.ts';

const at = { created_at: '2026-01-01T00:00:00Z' };
const text = { type: 'text' };
const models = {
  author: { name: { ...text, title: true }, friend: { type: 'reference', model: 'author' } },
  article: {
    title: { ...text, title: true },
    body: { type: 'flexible_text' },
    tags: { type: 'multi_select' },
    author: { type: 'reference', model: 'author' },
  },
};
const seed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [
    { key: 'published', reads: 'published' },
    { key: 'drafts', reads: 'drafts' },
  ],
  models,
  contents: [
    { id: 1, model: 'author', ...at, published: { ja: { name: '森', friend: 2 } } },
    { id: 2, model: 'author', ...at, published: { ja: { name: '田中', friend: 1 }, en: { name: 'Tanaka' } } },
    { id: 3, model: 'article', ...at, published: { ja: { title: '港', body: '<p>朝</p>', author: 1 } } },
    {
      id: 4,
      model: 'article',
      ...at,
      published: { ja: { title: '札', tags: ['a'] } },
      draft: { ja: { title: '札２', tags: ['a'] } },
    },
  ],
} as unknown as Seed;

const writesOf = ({ service }: BackupProject) => service.log.filter(({ method }) => method !== 'GET');

describe('luid restore into another space', () => {
  let source: BackupProject;
  let target: BackupProject;
  let folder: string;
  afterEach(async () => {
    await source.close();
    await target.close();
  });

  test('circular references and drafts are written in a second pass', async () => {
    source = await openBackupProject(seed);
    target = await openBackupProject(emptied(seed));
    folder = source.path('backup');
    await source.run('export', folder, '--drafts');
    const { code, stderr } = await target.run('restore', folder, '--yes');
    expect(code).toBe(0);
    const sent = target.service.log.filter(({ method }) => method !== 'GET').length;
    expect(stderr).toContain(`${sent} writes, about`);
    const { stdout } = await target.run('diff', folder, '--by', 'slug', '--json');
    const fields = JSON.parse(stdout).differences.flatMap(
      (one: { fields: { field: string }[] }) => one.fields,
    );
    expect(new Set(fields.map(({ field }: { field: string }) => field))).toEqual(new Set(['tags']));
  });

  test('a second restore without its log updates what has the same slug or title, and creates nothing', async () => {
    source = await openBackupProject(seed);
    target = await openBackupProject(seed);
    target.service.contents.edit(1, { friend: null });
    folder = source.path('backup');
    await source.run('export', folder);
    const { code, stderr } = await target.run('restore', folder, '--yes');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Restored: 0 created, 1 updated')]);
    expect((await target.run('diff', folder, '--by', 'slug')).code).toBe(0);
  });
});

describe('luid restore into the same space', () => {
  let space: BackupProject;
  let folder: string;
  beforeEach(async () => {
    space = await openBackupProject(seed);
    folder = space.path('backup');
    await space.run('export', folder, '--drafts');
    space.service.clearLog();
  });
  afterEach(() => space.close());

  test('fields and flexible texts become those of the export, and what was there is exported first', async () => {
    space.service.contents.edit(3, { title: '別', body: '<p>夜</p>' });
    const { code, stderr } = await space.run('restore', folder, '--yes');
    expect(code).toBe(0);
    expect((await space.run('diff', folder)).code).toBe(0);
    const [, before = ''] = /is in (\S+): luid restore/.exec(stderr) ?? [];
    expect((await space.run('restore', before, '--yes')).code).toBe(0);
    expect(space.service.contents.get(3).published?.ja).toMatchObject({ title: '別' });
  });

  test('--dry-run and a missing --yes send no write', async () => {
    space.service.contents.edit(3, { title: '別' });
    space.service.contents.remove(2);
    const planned = await space.run('restore', folder, '--dry-run');
    expect([planned.code, planned.stderr]).toEqual([0, expect.stringContaining('1 to create, 2 to update')]);
    const asked = await space.project.luid(['restore', 'backup']);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('pass --yes')]);
    expect(writesOf(space)).toEqual([]);
    expect(Object.keys(filesBelow(folder)).filter((path) => path.endsWith('.log'))).toEqual([]);
  });

  test('--only-missing and --models leave the rest as it is', async () => {
    space.service.contents.edit(3, { title: '別' });
    space.service.contents.remove(2);
    await space.run('restore', folder, '--yes', '--only-missing');
    expect(space.service.contents.get(3).published?.ja?.title).toBe('別');
    space.service.contents.edit(1, { name: '林' });
    await space.run('restore', folder, '--yes', '--models', 'article');
    expect(space.service.contents.get(3).published?.ja?.title).toBe('港');
    expect(space.service.contents.get(1).published?.ja?.name).toBe('林');
  });

  test('an item that has values which cannot be written is patched, and its flexible text is listed', async () => {
    space.service.contents.edit(3, { title: '別', body: '<p>夜</p>', tags: ['b'] });
    const { code, stderr } = await space.run('restore', folder, '--yes');
    expect(code).toBe(0);
    expect(space.service.contents.get(3).published?.ja).toMatchObject({
      title: '港',
      body: '<p>夜</p>',
      tags: ['b'],
    });
    expect(stderr).toContain('body (ja): the service accepts no flexible text in a PATCH');
    expect(stderr).toContain('tags (ja): differs in what the service cannot write');
  });

  test('what is edited after the plan is neither overwritten nor lost, and is listed', async () => {
    space.service.contents.edit(1, { name: '林' });
    space.service.contents.edit(3, { title: '別' });
    space.service.faults.add({
      match({ method, path }) {
        if (method === 'PATCH' && path === '/v1/contents/3')
          space.service.contents.edit(1, { name: '編集中' });
        return false;
      },
      kind: 'empty',
    });
    const { code, stderr } = await space.run('restore', folder, '--yes');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/author 1 .* was edited since/)]);
    expect(space.service.contents.get(3).published?.ja?.title).toBe('港');
    expect(space.service.contents.get(1).published?.ja?.name).toBe('編集中');
  });

  test('a read-only key stops the restore with a clear error, and a later run continues', async () => {
    space.service.contents.remove(2);
    const stop = space.service.faults.add({
      match: ({ method }) => method !== 'GET',
      kind: { status: 403 },
      times: 9,
    });
    const { code, stderr } = await space.run('restore', folder, '--yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining('403')]);
    stop();
    expect((await space.run('restore', folder, '--yes')).stderr).toContain('Resuming');
    expect((await space.run('diff', folder, '--by', 'slug')).code).toBe(0);
  });

  test('a damaged export is not restored', async () => {
    space.service.contents.remove(2);
    const path = join(folder, 'contents/author/2.json');
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 20));
    const { code, stderr } = await space.run('restore', folder, '--yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining('contents/author/2.json')]);
    expect(writesOf(space)).toEqual([]);
  });
});

test('the remaining time is that of 30 writes per minute, within 10 %', () => {
  const minutes = (writes: number) => remainingTime(writes, [], 0, 300) / 60_000;
  expect(minutes(30)).toBeCloseTo(0.15);
  for (const writes of [300, 1_000, 10_000]) {
    const expected = Math.floor((writes - 1) / 30) + ((writes % 30 || 30) * 0.3) / 60;
    expect(minutes(writes) / expected).toBeGreaterThan(0.9);
    expect(minutes(writes) / expected).toBeLessThan(1.1);
  }
  expect(remainingTime(1, Array(30).fill(1_000), 2_000, 0)).toBe(60_000);
});
