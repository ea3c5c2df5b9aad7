import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type EmulatedSpace,
  MODELS,
  openEmulatedSpace,
  readFromService,
  seedOf,
} from '../support/emulated-space.ts';
import { filesIn } from '../support/folder-files.ts';
import { cacheFiles, forgeManifest, sha256 } from '../support/forge-cache.ts';
import { manifestCodec } from '../support/manifest-codec.ts';

/** More than a small space, so that a valid cache does not lead to a full read. */
const ITEMS = 1700;
const DAY = 24 * 3600 * 1000;

let emulated: EmulatedSpace;
beforeEach(async () => {
  emulated = openEmulatedSpace(seedOf(ITEMS));
  await emulated.sync();
});
afterEach(() => rmSync(emulated.dir, { recursive: true, force: true }));

const filesOf = (kind: 'manifest' | 'segment', dir = emulated.dir) => cacheFiles(dir, kind);
const manifestFile = () => filesOf('manifest').at(-1) as string;
/** The part of a manifest's name that identifies the model map. */
const mapOf = (file: string) => basename(file).split('-')[1] as string;
const itemsOf = async (options = {}) => Object.fromEntries(await (await emulated.sync(options)).items());
const rightItems = async () => Object.fromEntries(await readFromService(emulated, MODELS));

const forge = (sign: (body: string) => string) =>
  forgeManifest(manifestFile(), (text) => text.replaceAll('item ', 'forged '), sign);

describe('an attacker who can write to the cache but lacks the key cannot add content to a build', () => {
  test.each<[string, (body: string) => string]>([
    ['the hash of the forged manifest', sha256],
    ['the signature of the original manifest', () => readFileSync(manifestFile(), 'utf8').slice(0, 64)],
    [
      'the signature by another key',
      (body) => manifestCodec('another-key', '', '').encode(JSON.parse(body)).slice(0, 64),
    ],
    ['an empty signature', () => ''],
    ['a signature that is not hexadecimal', () => 'z'.repeat(64)],
  ])('with %s', async (_, sign) => {
    forge(sign);
    await expect(itemsOf({ offline: true })).rejects.toThrow('does not contain all models');
    expect(await itemsOf()).toEqual(await rightItems());
    expect(emulated.warnings.join()).toContain('damaged');
  });

  test('with a manifest that was signed for the drafts key', async () => {
    emulated.service.contents.saveDraft(1, { name: 'a draft' });
    await emulated.sync({ apiKey: 'drafts' });
    const folders = [...new Set(filesOf('manifest').map((file) => dirname(dirname(file))))];
    expect(folders).toHaveLength(2);
    const [first, second] = folders as [string, string];
    renameSync(first, `${first}-temporary`);
    renameSync(second, first);
    renameSync(`${first}-temporary`, second);
    await expect(itemsOf({ offline: true })).rejects.toThrow('does not contain all models');
    expect(await itemsOf()).toEqual(await rightItems());
  });

  test('with an old manifest under a newer name', async () => {
    const old = readFileSync(manifestFile(), 'utf8');
    emulated.service.clock.advance(60_000);
    emulated.service.contents.edit(1, { name: 'newer' });
    await emulated.sync();
    const name = `000000000099-${mapOf(manifestFile())}-1-000000000000`;
    writeFileSync(join(dirname(manifestFile()), name), old);
    const items = await itemsOf({ offline: true });
    expect(items[1]).toMatchObject({ name: 'newer' });
  });
});

test.each([
  '99999999999999999999-MAP-1-ff',
  '999999999999-MAP-9999999-0',
  '999999999999-0-0-0',
  'x',
  '-1-MAP',
])('a planted manifest %s changes no content, and later syncs read only what changed', async (name) => {
  const file = manifestFile();
  writeFileSync(join(dirname(file), name.replace('MAP', mapOf(file))), 'planted');
  expect(await itemsOf()).toEqual(await rightItems());
  emulated.service.clock.advance(60_000);
  emulated.service.contents.edit(1, { name: 'newer' });
  expect((await itemsOf())[1]).toMatchObject({ name: 'newer' });
  expect((await itemsOf({ offline: true }))[1]).toMatchObject({ name: 'newer' });
  expect((await emulated.counted(() => emulated.sync())).requests).toBe(2);
});

test('a cache whose read time is in the future is read again', async () => {
  await emulated.sync({ forceFullSync: true, skew: 3650 * DAY });
  const { result, requests } = await emulated.counted(() => emulated.sync());
  expect(requests).toBeGreaterThan(10);
  expect(Object.fromEntries(await result.items())).toEqual(await rightItems());
  // And then it is of today.
  expect((await emulated.counted(() => emulated.sync())).requests).toBe(2);
});

test('only the owner can read the cache', () => {
  for (const file of filesIn(emulated.dir)) {
    expect(statSync(file).mode & 0o777, file).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777, dirname(file)).toBe(0o700);
  }
});

test('files with unknown names are ignored', async () => {
  const folder = dirname(dirname(manifestFile()));
  for (const kind of ['manifest', 'segment']) {
    for (const name of ['junk', '%zz']) writeFileSync(join(folder, kind, name), 'planted');
  }
  emulated.service.clock.advance(60_000);
  emulated.service.contents.edit(1, { name: 'newer' });
  await emulated.sync();
  expect((await itemsOf({ offline: true }))[1]).toMatchObject({ name: 'newer' });
  emulated.warnings.length = 0;
  expect((await emulated.counted(() => emulated.sync())).requests).toBe(2);
  expect(emulated.warnings).toEqual([]);
});
