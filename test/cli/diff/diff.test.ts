import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BackupProject, emptied, openBackupProject } from '../support/backup-project.ts';

const models = {
  author: { name: { type: 'text', title: true } },
  article: {
    title: { type: 'text', title: true },
    slug: { type: 'text' },
    author: { type: 'reference', model: 'author' },
    tags: { type: 'multi_select' },
  },
} as const;
const at = { created_at: '2026-01-01T00:00:00Z' };
const seed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [
    { key: 'published', reads: 'published' as const },
    { key: 'drafts', reads: 'drafts' as const },
  ],
  models,
  contents: [
    { id: 1, model: 'author', ...at, published: { ja: { name: '森' } } },
    { id: 2, model: 'author', ...at, published: { ja: { name: '田中' } } },
    {
      id: 3,
      model: 'article',
      ...at,
      published: { ja: { title: '港', slug: 'harbour', author: 1 }, en: { title: 'Harbour' } },
    },
  ],
};

describe('luid diff', () => {
  let space: BackupProject;
  let folder: string;
  beforeEach(async () => {
    space = await openBackupProject(seed as never);
    folder = space.path('backup');
    await space.run('export', folder, '--drafts');
  });
  afterEach(() => space.close());

  test('shows items and fields that differ, references by title, and ends with 1', async () => {
    const { contents } = space.service;
    contents.edit(3, { author: 2, tags: ['a'] });
    contents.edit(3, { title: 'Port' }, { lang: 'en' });
    contents.archive(1);
    contents.create({ id: 4, model: 'author', published: { ja: { name: '\u001b[31m新' } } });
    const { code, stdout } = await space.run('diff', folder);
    expect(code).toBe(1);
    expect(stdout.split('\n')).toEqual([
      '~ article 3 "港" (harbour)',
      '    author (ja)',
      '      - 森',
      '      + 田中',
      '    tags (ja)',
      '      - (empty)',
      '      + ["a"]',
      '    title (en)',
      '      - Harbour',
      '      + Port',
      '- author 1 "森"',
      '+ author 4 "\\u001b[31m新"',
      '3 differences: 1 added, 1 removed, 1 changed',
      '',
    ]);
  });

  test('--json has the same differences with ids, titles and slugs', async () => {
    space.service.contents.edit(3, { author: 2 });
    const { code, stdout } = await space.run('diff', folder, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).differences).toEqual([
      {
        what: 'changed',
        model: 'article',
        id: 3,
        title: '港',
        slug: 'harbour',
        fields: [
          {
            lang: 'ja',
            state: 'published',
            field: 'author',
            before: { reference: 1, model: 'author', title: '森' },
            after: { reference: 2, model: 'author', title: '田中' },
          },
        ],
      },
    ]);
  });

  test('drafts are compared where both sides have them', async () => {
    space.service.contents.saveDraft(3, { title: '下書き' });
    const withDrafts = await space.run('diff', folder);
    expect([withDrafts.code, withDrafts.stdout]).toEqual([1, expect.stringContaining('ja draft: added')]);
    await space.run('export', space.path('published'));
    expect((await space.run('diff', space.path('published'), folder)).code).toBe(0);
  });

  test('--by slug matches items of two spaces whose ids differ', async () => {
    const renumbered = JSON.parse(
      JSON.stringify(seed, (key, value) =>
        ['id', 'author'].includes(key) && typeof value === 'number' ? value + 50 : value,
      ),
    );
    const other = await openBackupProject(renumbered);
    const file = space.envFileOf(other);
    expect((await space.run('diff', folder, file)).code).toBe(1);
    expect((await space.run('diff', folder, file, '--by', 'slug')).code).toBe(0);
    expect((await space.run('diff', file, '--by', 'slug')).code).toBe(0);
    await other.close();
  });

  test('a revision of git is a side', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
        cwd: space.project.folder,
      });
    git('init', '-q');
    git('add', 'backup');
    git('commit', '-qm', 'before');
    space.service.contents.edit(3, { title: '港町' });
    await space.run('export', folder, '--drafts');
    const changed = await space.project.luid(['diff', 'HEAD:backup', 'backup']);
    expect([changed.code, changed.stdout]).toEqual([1, expect.stringContaining('+ 港町')]);
    expect((await space.project.luid(['diff', 'HEAD:backup', 'HEAD:backup/'])).code).toBe(0);
    const unknown = await space.project.luid(['diff', 'HEAD~9:backup', 'backup']);
    expect([unknown.code, unknown.stdout]).toEqual([2, '']);
  });

  test('what cannot be read ends with 2, with the reason', async () => {
    const missing = await space.run('diff', space.path('nothing'));
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('Cannot read')]);
    space.project.write('empty/a.txt', '');
    const foreign = await space.run('diff', space.path('empty'));
    expect([foreign.code, foreign.stderr]).toEqual([2, expect.stringContaining('is not an export')]);
    const other = await openBackupProject(emptied(seed as never));
    const file = space.envFileOf(other);
    await other.close();
    expect((await space.run('diff', folder, file)).code).toBe(2);
  });
});
