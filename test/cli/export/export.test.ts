import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { folderSource } from '../../../src/cli/backup/files.ts';
import { readExport, toSeed } from '../../../src/cli/backup/read-export.ts';
import { type Seed, sampleSeed, startEmulator } from '../../../src/emulator/index.ts';
import { type BackupProject, filesBelow, openBackupProject } from '../support/backup-project.ts';

const { seed, directory } = sampleSeed() as { seed: Seed; directory: string };

describe('luid export', () => {
  let space: BackupProject;
  let folder: string;
  beforeEach(async () => {
    space = await openBackupProject(seed, { directory });
    folder = space.path('backup');
  });
  afterEach(() => space.close());

  test('an emulator that serves the export has the same content, with drafts and languages', async () => {
    expect((await space.run('export', folder, '--drafts')).code).toBe(0);
    const exported = toSeed(await readExport(folderSource(folder)));
    const copy = await startEmulator(exported, { directory: folder, rateLimit: false });
    space.project.write(
      '.env.copy',
      `LUID_BASE_URL=${copy.baseUrl}\nLUID_ASSETS_URL=${copy.assetsUrl}\nLUID_API_KEY=published-key\nLUID_DRAFT_API_KEY=draft-key\n`,
    );
    const { code, stdout, stderr } = await space.run('diff', folder, space.path('.env.copy'));
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^No difference/);
    await copy.close();
  });

  test('a second run requests the heads of each language, and writes nothing', async () => {
    await space.run('export', folder);
    const before = filesBelow(folder);
    space.service.clearLog();
    const { code, stderr } = await space.run('export', folder);
    expect(code).toBe(0);
    expect(stderr).toContain('0 files written, 0 removed, 0 downloaded');
    expect(space.service.log.length).toBe(4);
    expect(filesBelow(folder)).toEqual(before);
  });

  test('a later run writes what changed, removes what is gone, and leaves other files alone', async () => {
    await space.run('export', folder);
    writeFileSync(join(folder, 'README.md'), 'mine');
    writeFileSync(join(folder, 'contents/article/notes.json'), 'mine too');
    space.service.contents.edit(301, { title: '港の夕方' });
    space.service.contents.archive(302);
    const { stderr } = await space.run('export', folder);
    expect(stderr).toMatch(/; \d+ files? written, 1 removed/);
    expect(readFileSync(join(folder, 'contents/article/301.json'), 'utf8')).toContain('港の夕方');
    expect(existsSync(join(folder, 'contents/article/302.json'))).toBe(false);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine');
    expect(readFileSync(join(folder, 'contents/article/notes.json'), 'utf8')).toBe('mine too');
  });

  test('media are the original bytes, and one that cannot be downloaded is named', async () => {
    space.service.faults.add({ match: ({ path }) => path.includes('/901/'), kind: { status: 404 } });
    const { code, stderr } = await space.run('export', folder);
    const { media } = (await readExport(folderSource(folder))).manifest;
    for (const { file, sha256 } of media) expect(existsSync(join(folder, file))).toBe(sha256 !== undefined);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('{assets_url}/901/harbour.jpg responded with 404'),
    ]);
  });

  test('--models, --langs and --no-media restrict what is exported', async () => {
    await space.run('export', folder, '--models', 'author', '--langs', 'ja', '--no-media');
    expect(existsSync(join(folder, 'media'))).toBe(false);
    const { manifest, items } = await readExport(folderSource(folder));
    expect(new Set([...items.values()].map(({ model }) => model))).toEqual(new Set(['author']));
    expect(manifest.languages).toEqual({ main: 'ja', sub: [] });
    const narrower = await space.run('export', folder, '--models', 'article');
    expect([narrower.code, narrower.stderr]).toEqual([1, expect.stringContaining('author')]);
  });

  test('what the models do not declare is named, and the export is incomplete', async () => {
    const { role: _, ...author } = seed.models.author as object as { role: object };
    space.project.write(
      'src/space.ts',
      space.project.read('src/space.ts').replace(JSON.stringify(seed.models.author), JSON.stringify(author)),
    );
    const { code, stderr } = await space.run('export', folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining('author.role is not in the export')]);
  });

  test('an export of another space, and a file that is in the way, are errors that change nothing', async () => {
    mkdirSync(join(folder, 'contents/article'), { recursive: true });
    writeFileSync(join(folder, 'contents/article/301.json'), 'mine');
    const inTheWay = await space.run('export', folder);
    expect([inTheWay.code, inTheWay.stderr]).toEqual([
      1,
      expect.stringContaining('contents/article/301.json exists'),
    ]);
    expect(Object.keys(filesBelow(folder))).toEqual(['contents/article/301.json']);
    rmSync(folder, { recursive: true });
    await space.run('export', folder);
    const before = filesBelow(folder);
    const other = await openBackupProject(seed, { directory });
    const wrong = await other.run('export', folder);
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringContaining('has an export of another space'),
    ]);
    expect(filesBelow(folder)).toEqual(before);
    await other.close();
  });

  test('a wrong key and a folder that cannot be written are errors', async () => {
    writeFileSync(folder, 'a file');
    const blocked = await space.run('export', folder);
    expect([blocked.code, blocked.stderr]).toEqual([1, expect.stringContaining('Cannot write')]);
    space.project.write(
      '.env',
      space.project.read('.env').replace('LUID_API_KEY=published-key', 'LUID_API_KEY=wrong'),
    );
    const wrong = await space.run('export', space.path('other'));
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('401')]);
    expect(existsSync(space.path('other'))).toBe(false);
  });

  test('an interrupted export is not read, and the next run completes it', async () => {
    await space.run('export', folder);
    const whole = filesBelow(folder);
    const manifest = readFileSync(join(folder, 'luid-export.json'), 'utf8');
    writeFileSync(
      join(folder, 'luid-export.json'),
      manifest.replace('"complete": true', '"complete": false'),
    );
    writeFileSync(join(folder, 'contents/article/301.json'), '{ "half');
    writeFileSync(join(folder, 'contents/article/302.json.tmp'), 'left by a killed run');
    rmSync(join(folder, 'media/1'), { recursive: true });
    const refused = await space.run('diff', folder);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('was interrupted')]);
    expect((await space.run('export', folder)).code).toBe(0);
    expect(filesBelow(folder)).toEqual(whole);
  });

  test('media that an interrupted export has downloaded are not downloaded again', async () => {
    await space.run('export', folder);
    const whole = filesBelow(folder);
    const path = join(folder, 'luid-export.json');
    const { media, ...manifest } = JSON.parse(readFileSync(path, 'utf8'));
    // As while media are downloaded: all files are named, and the facts of none are known.
    const named = media.map(({ bytes: _, sha256: __, ...rest }: Record<string, unknown>) => rest);
    writeFileSync(path, JSON.stringify({ ...manifest, complete: false, media: named }));
    rmSync(join(folder, media[2].file));
    const { code, stderr } = await space.run('export', folder);
    expect([code, stderr]).toEqual([0, expect.stringContaining('1 downloaded')]);
    expect(filesBelow(folder)).toEqual(whole);
  });

  test('a file that was changed by hand is not read', async () => {
    await space.run('export', folder);
    const path = join(folder, 'contents/article/301.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll('\n', '\r\n'));
    expect((await space.run('diff', folder)).code).toBe(0);
    writeFileSync(path, text.replace('301', '999'));
    const { code, stderr } = await space.run('diff', folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining('301.json')]);
  });
});
