import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { describe, expect, test } from 'vitest';
import { openStorage } from '../../../src/replica/store/storage.ts';
import {
  dayIn,
  dayOf,
  isUnused,
  removeUnusedSnapshots,
} from '../../../src/replica/store/unused-snapshots.ts';
import { openEmulatedSpace, seedOf } from '../../support/emulated-space.ts';
import { filesIn } from '../../support/folder-files.ts';

const DAY = 24 * 60 * 60 * 1000;
const TODAY = 20_000;
const NOW = TODAY * DAY + 1;

const prefix = (version: number, letter = 'a') => `v${version}:${letter.repeat(40)}`;
const manifest = (day: number | string, version = 5, letter = 'a') =>
  `${prefix(version, letter)}:manifest:000000000001-${'0'.repeat(16)}-${timeOf(day)}-abcdef`;
const timeOf = (day: number | string) => (typeof day === 'string' ? day : day * DAY + DAY - 1);
const segment = (version = 5, letter = 'a') => `${prefix(version, letter)}:segment:${'1'.repeat(64)}`;

/** Which of these keys are left after unused snapshots of a storage were removed. */
async function left(keys: readonly string[], version = 5): Promise<string[]> {
  const storage = createStorage({ driver: memory() });
  for (const key of keys) await storage.setItem(key, 'x');
  await removeUnusedSnapshots(storage, version, NOW);
  return (await storage.getKeys()).sort();
}

describe('a snapshot', () => {
  test('that was stored in the last 30 days is kept', async () => {
    const keys = [manifest(TODAY - 30), segment()].sort();
    expect(await left(keys)).toEqual(keys);
  });

  test('that was stored longer ago is removed with its segments', async () => {
    expect(await left([manifest(TODAY - 31), segment()])).toEqual([]);
  });

  test('is as old as its newest manifest', async () => {
    const keys = [manifest(TODAY - 31), manifest(TODAY - 1), segment()].sort();
    expect(await left(keys)).toEqual(keys);
  });

  test('is considered on its own', async () => {
    const keys = [manifest(TODAY - 31), segment(), manifest(TODAY, 5, 'b'), segment(5, 'b')];
    expect(await left(keys)).toEqual([manifest(TODAY, 5, 'b'), segment(5, 'b')].sort());
  });

  test('of an older format is removed, whenever it was stored', async () => {
    expect(await left([manifest(TODAY, 4), segment(4), manifest(TODAY, 1)])).toEqual([]);
  });

  test('has a format version that is compared as a number', async () => {
    expect(await left([manifest(TODAY, 9), manifest(TODAY, 10), manifest(TODAY, 11)], 11)).toEqual([
      manifest(TODAY, 11),
    ]);
  });

  test('of a newer format is kept, whenever it was stored', async () => {
    const keys = [manifest(1, 6), segment(6), manifest(1, 50), manifest(1, 10)].sort();
    expect(await left(keys)).toEqual(keys);
  });

  test('without a manifest is kept: it is being stored', async () => {
    expect(await left([segment()])).toEqual([segment()]);
  });

  test('whose manifest has no time is old', async () => {
    const nameless = `${prefix(5)}:manifest:000000000001`;
    expect(await left([manifest('x'), segment()])).toEqual([]);
    expect(await left([nameless, segment()])).toEqual([]);
  });
});

test('keys of other programs are kept', async () => {
  const keys = [
    'sizes:a',
    `site:${manifest(1)}`,
    `v4:${'a'.repeat(39)}:manifest:1-1-1-1`,
    `v4:${'z'.repeat(40)}:manifest:1-1-1-1`,
    `vx:${'a'.repeat(40)}:manifest:1-1-1-1`,
    `v4:${'a'.repeat(40)}`,
  ].sort();
  expect(await left(keys)).toEqual(keys);
});

test('the name of a manifest contains the time at which it was stored', () => {
  expect(dayOf(NOW)).toBe(TODAY);
  expect(dayOf(NOW + DAY - 2)).toBe(TODAY);
  expect(dayOf(NOW + DAY - 1)).toBe(TODAY + 1);
  expect(dayIn(manifest(TODAY))).toBe(TODAY);
  expect(dayIn('000000000001')).toBe(0);
  expect(dayIn('1-2-x-4')).toBe(0);
});

test('a manifest that was not replaced for more than 30 days is unused', () => {
  const nameOf = (day: number) => `000000000001-${'0'.repeat(16)}-${timeOf(day)}-abcdef`;
  expect([TODAY, TODAY - 30, TODAY - 31].map((day) => isUnused(nameOf(day), NOW))).toEqual([
    false,
    false,
    true,
  ]);
  expect(isUnused('000000000001', NOW)).toBe(true);
  // The clock of another machine may be ahead.
  expect(isUnused(nameOf(TODAY + 1), NOW)).toBe(false);
});

describe('in a real folder', () => {
  /** The snapshots in it, by their first two folders. */
  const snapshotsIn = (dir: string) => [
    ...new Set(
      filesIn(dir).map((file) =>
        file
          .slice(dir.length + 1)
          .split(/[\\/]/)
          .slice(0, 2)
          .join('/'),
      ),
    ),
  ];

  test('the snapshot of a rotated key is removed after 30 days, and those of older formats at once', async () => {
    const { keys: seedKeys, ...seed } = seedOf(12);
    const emulated = openEmulatedSpace({
      ...seed,
      keys: [...seedKeys, { key: 'rotated', reads: 'published' }],
    });
    const storage = openStorage({}, emulated.dir);
    await emulated.sync({ apiKey: 'rotated' });
    await emulated.sync({ apiKey: 'rotated', lang: 'en' });
    const rotated = snapshotsIn(emulated.dir);
    expect(rotated).toHaveLength(2);

    emulated.service.clock.advance(29 * DAY);
    await emulated.sync();
    const both = snapshotsIn(emulated.dir);
    expect(both).toHaveLength(3);

    emulated.service.clock.advance(2 * DAY);
    await storage.setItemRaw(manifest(TODAY, 4), 'of an older format');
    await storage.setItemRaw(segment(99), 'of a newer format');
    await storage.setItemRaw('notes:mine', 'of somebody else');
    emulated.service.contents.edit(1, { name: 'edited' });
    await emulated.sync();
    const [current] = both.filter((name) => !rotated.includes(name));
    expect(snapshotsIn(emulated.dir).sort()).toEqual(
      [current, 'notes/mine', prefix(99).replace(':', '/')].sort(),
    );
    expect((await emulated.sync({ offline: true })).summary.items).toBe(12);
    rmSync(emulated.dir, { recursive: true });
  });

  test('nothing else in it is changed', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'astro-luid-unused-'));
    const storage = openStorage({}, dir);
    await storage.setItemRaw('sizes:a', 'x');
    await storage.setItemRaw(manifest(TODAY), 'x');
    await removeUnusedSnapshots(storage, 5, NOW);
    expect(filesIn(dir)).toHaveLength(2);
    rmSync(dir, { recursive: true });
  });
});
