import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderSource } from '../../../src/cli/backup/files.ts';
import { readExport, toSeed } from '../../../src/cli/backup/read-export.ts';
import type { Seed } from '../../../src/emulator/index.ts';
import { randomRuns } from '../../support/random-runs.ts';
import { seededFractions } from '../../support/seeded-random.ts';
import { type BackupProject, emptied, openBackupProject } from '../support/backup-project.ts';
import { randomSpace } from '../support/random-space.ts';

/** A random space with archived items, drafts beside published data, and files of its media. */
function spaceOf(run: number, folder: string): Seed {
  const space = randomSpace(run, { least: 2, most: 8 });
  // The service rejects images that are none.
  const media = space.media?.map((one) => ({ ...one, file: one.file.replace('.jpg', '.pdf') })) ?? [];
  const seed = { ...space, media };
  const next = seededFractions(run + 1);
  for (const { file } of media) writeFileSync(join(folder, file), `file ${file} of ${run}`);
  const contents = seed.contents?.map((item) => ({
    ...item,
    archived: next() < 0.1,
    ...(item.published &&
      next() < 0.2 && { draft: { ja: { ...item.published.ja, title: `draft ${item.id}` } } }),
  }));
  return { ...seed, contents };
}

async function withProjects(
  seeds: readonly [Seed, string][],
  work: (projects: BackupProject[]) => Promise<void>,
) {
  const projects: BackupProject[] = [];
  try {
    for (const [seed, directory] of seeds) projects.push(await openBackupProject(seed, { directory }));
    await work(projects);
  } finally {
    for (const project of projects) await project.close();
  }
}

for (let run = 1; run <= randomRuns(4); run++) {
  test(`a random space is served from its export and restored into an empty one: seed ${run}`, async () => {
    const media = mkdtempSync(join(tmpdir(), 'astro-luid-media-'));
    const seed = spaceOf(run, media);
    await withProjects(
      [
        [seed, media],
        [emptied(seed), media],
      ],
      async ([source, target]) => {
        if (!source || !target) return;
        const folder = source.path('backup');
        const exported = await source.run('export', folder, '--drafts');
        expect(exported.code, exported.stderr).toBe(0);
        await withProjects([[toSeed(await readExport(folderSource(folder))), folder]], async ([copy]) => {
          const { code, stdout } = await source.run('diff', folder, source.envFileOf(copy as BackupProject));
          expect([code, stdout]).toEqual([0, '']);
        });
        const restored = await target.run('restore', folder, '--yes');
        expect(restored.code, restored.stderr).toBe(0);
        const { stdout } = await target.run('diff', folder, '--by', 'slug', '--json');
        for (const { what, model, id, fields } of JSON.parse(stdout).differences) {
          expect([what, model, id]).toEqual(['changed', model, id]);
          for (const { field, state } of fields) {
            const place = state === 'draft' ? '(\\w+ draft)' : '(\\w+)';
            const line = new RegExp(
              `${model} ${id} ".*": ${field}(?:[.[].*)? \\${place.slice(0, -1)}\\): .*cannot write`,
            );
            expect(restored.stderr, `${model} ${id} ${field}`).toMatch(line);
          }
        }
        target.service.clearLog();
        const again = await target.run('restore', folder, '--yes');
        expect(again.stderr).toContain('0 to create, 0 to update');
      },
    );
    rmSync(media, { recursive: true });
  });
}
