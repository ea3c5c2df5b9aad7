import { spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Seed } from '../../../src/emulator/index.ts';
import { randomRuns } from '../../support/random-runs.ts';
import { seededFractions } from '../../support/seeded-random.ts';
import { type BackupProject, emptied, filesBelow, openBackupProject } from '../support/backup-project.ts';
import { LUID } from '../support/cli-project.ts';

const COUNT = 60;
const seed = {
  languages: { main: 'ja', sub: [] },
  keys: [
    { key: 'published', reads: 'published' },
    { key: 'drafts', reads: 'drafts' },
  ],
  models: {
    article: { title: { type: 'text', title: true }, next: { type: 'reference', model: 'article' } },
  },
  contents: Array.from({ length: COUNT }, (_, index) => ({
    id: index + 1,
    model: 'article',
    created_at: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
    published: { ja: { title: `item ${index + 1}`, next: ((index + 1) % COUNT) + 1 } },
  })),
} as unknown as Seed;

/** Runs a command, and kills it when the service gets its nth request that `counts`. */
async function killAt(
  { project, service }: BackupProject,
  args: string[],
  counts: (method: string) => boolean,
  after: number,
): Promise<void> {
  const child = spawn(process.execPath, [LUID, ...args], { cwd: project.folder, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('close', resolve));
  let left = after;
  const stop = service.faults.add({
    match({ method }) {
      if (counts(method) && left-- === 0) child.kill('SIGKILL');
      return false;
    },
    kind: 'empty',
  });
  await ended;
  stop();
}

describe('killed at a random moment', () => {
  let source: BackupProject;
  let target: BackupProject;
  beforeEach(async () => {
    source = await openBackupProject(seed);
    target = await openBackupProject(emptied(seed));
  });
  afterEach(async () => {
    await source.close();
    await target.close();
  });

  test('a restore resumes without duplicates and without loss', async () => {
    const folder = source.path('backup');
    await source.run('export', folder);
    const next = seededFractions(7);
    for (let run = 0; run < randomRuns(3); run++) {
      await killAt(
        target,
        ['restore', folder, '--yes'],
        (method) => method !== 'GET',
        Math.floor(next() * 30),
      );
    }
    const { code, stderr } = await target.run('restore', folder, '--yes');
    expect(code, stderr).toBe(0);
    expect(target.service.snapshot().contents?.length).toBe(COUNT);
    expect((await target.run('diff', folder, '--by', 'slug')).stdout).toBe('');
  });

  test('an export resumes, and is the same as one that was not interrupted', async () => {
    const folder = source.path('backup');
    const whole = source.path('whole');
    await source.run('export', whole);
    const next = seededFractions(9);
    for (let run = 0; run < randomRuns(3); run++) {
      const child = spawn(process.execPath, [LUID, 'export', folder], {
        cwd: source.project.folder,
        stdio: 'ignore',
      });
      const ended = new Promise((resolve) => child.on('close', resolve));
      await killAfterFiles(child, folder, Math.floor(next() * COUNT));
      await ended;
      source.service.contents.edit(1, { title: `edit ${run}` });
    }
    expect((await source.run('export', folder)).code).toBe(0);
    await source.run('export', whole);
    expect(filesBelow(folder)).toEqual(filesBelow(whole));
  });
});

/** Kills a process as soon as a folder has so many files, unless it has ended. */
async function killAfterFiles(child: ReturnType<typeof spawn>, folder: string, count: number): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const files = (() => {
      try {
        return Object.keys(filesBelow(folder)).length;
      } catch {
        return 0;
      }
    })();
    if (files > count) return void child.kill('SIGKILL');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
