import { expect, test } from 'vitest';
import { type Seed, sampleSeed } from '../../../src/emulator/index.ts';
import { emptied, openBackupProject } from '../support/backup-project.ts';

const sample = sampleSeed() as { seed: Seed; directory: string };

test('an empty space becomes equal, except for what the service cannot write, which is listed', async () => {
  const source = await openBackupProject(sample.seed, { directory: sample.directory });
  const target = await openBackupProject(emptied(sample.seed));
  const folder = source.path('backup');
  await source.run('export', folder, '--drafts');
  const { code, stderr } = await target.run('restore', folder, '--yes');
  expect([code, stderr]).toEqual([0, expect.stringContaining('Restored: 163 created')]);
  const { differences } = JSON.parse((await target.run('diff', folder, '--by', 'slug', '--json')).stdout);
  for (const { what, model, id, fields } of differences) {
    expect(what).toBe('changed');
    for (const { field } of fields) {
      const line = stderr
        .split('\n')
        .find((one) => one.includes(`${model} ${id} `) && one.includes(`: ${field}`));
      expect(line, `${model} ${id} ${field}`).toMatch(/cannot write multi_select|an image stays at its URL/);
    }
  }
  target.service.clearLog();
  const again = await target.run('restore', folder, '--yes');
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('0 to create, 0 to update')]);
  expect(target.service.log.filter(({ method }) => method !== 'GET')).toEqual([]);
  await source.close();
  await target.close();
});
