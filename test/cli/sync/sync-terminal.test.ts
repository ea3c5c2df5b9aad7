import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { filesIn } from '../../support/folder-files.ts';
import { createProject, LUID, type Project } from '../support/cli-project.ts';
import { HAS_TMUX, openTerminal, type Terminal } from '../support/terminal.ts';

describe.runIf(HAS_TMUX)('luid sync in a terminal', () => {
  let service: RunningEmulator;
  let project: Project;
  beforeAll(async () => {
    const contents = Array.from({ length: 6_000 }, (_, n) => ({
      id: n + 1,
      model: 'note',
      created_at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
      published: { main: { title: `note ${n}` } },
    }));
    service = await startEmulator(
      {
        languages: { main: 'main', sub: [] },
        keys: [{ key: 'the-key', reads: 'published' }],
        models: { note: { title: { type: 'text', title: true } } },
        contents,
      },
      { rateLimit: false, latency: 300 },
    );
    project = createProject();
    project.install();
    project.write('.env', `LUID_BASE_URL=${service.baseUrl}\nLUID_API_KEY=the-key\n`);
    project.write(
      'src/space.ts',
      `import { defineSpace, field } from 'astro-luid';
       export const space = defineSpace({
         models: { note: { title: field.text({ title: true }) } },
         // All at once, they would be read before the bar is first drawn.
         network: { concurrency: 4 },
       });`,
    );
  });
  afterAll(async () => {
    project.remove();
    await service.close();
  });

  const open = (): Terminal => {
    const { VITEST, NO_COLOR, ...env } = process.env;
    return openTerminal(project.folder, [process.execPath, LUID, 'sync'], env);
  };

  test('shows a progress bar, leaves no files on Ctrl-C, and erases the bar when it is done', async () => {
    const first = open();
    try {
      await first.shows(/█+░+ \d+ % {2}[\d,]+ of 6,000 items, \d+ s left/);
      first.press('C-c');
      await first.shows('ended 130');
    } finally {
      first.close();
    }
    expect(filesIn(join(project.folder, 'node_modules/.astro'))).toEqual([]);

    const second = open();
    try {
      await second.shows('ended 0');
      expect(second.screen()).toMatch(/^6,000 items, 6,000 added; \d+ requests.*\nended 0\n/);
      expect(second.screen()).not.toMatch(/[█░]/);
    } finally {
      second.close();
    }
  });
});
