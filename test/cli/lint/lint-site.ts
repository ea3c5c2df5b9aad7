import { join } from 'node:path';
import { syncCommand } from '../../../src/cli/sync/sync-command.ts';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { createProject, type Project } from '../support/cli-project.ts';
import { runCommand } from '../support/run-in-process.ts';

export interface LintSite {
  readonly project: Project;
  readonly service: RunningEmulator;
  /** In the format of builds. */
  readonly cacheDir: string;
  close(): Promise<void>;
}

/** A site with synced content. `options` are those of `luid()`. */
export async function createLintSite(seed: unknown, models: string, options: string): Promise<LintSite> {
  const service = await startEmulator(seed as never, { rateLimit: false });
  const project = createProject();
  project.install();
  project.write(
    '.env',
    `LUID_BASE_URL=${service.baseUrl}\nLUID_ASSETS_URL=${service.assetsUrl}\nLUID_API_KEY=published-key\n`,
  );
  project.write(
    'src/space.ts',
    `import { defineSpace, field } from 'astro-luid';
export const space = defineSpace({ languages: { main: 'ja', sub: ['en'] }, models: ${models} });\n`,
  );
  project.write(
    'astro.config.ts',
    `import { defineConfig } from 'astro/config';
import luid from 'astro-luid/integration';
import { space } from './src/space';
export default defineConfig({
  site: 'https://www.magazine.example',
  redirects: { '/old-about': '/about' },
  integrations: [luid(space, ${options})],
});\n`,
  );
  const synced = await runCommand('sync', syncCommand, ['--dir', project.folder]);
  if (synced.code !== 0) throw new Error(synced.stderr);
  return {
    project,
    service,
    cacheDir: join(project.folder, 'node_modules/.astro/astro-luid'),
    async close() {
      await service.close();
      project.remove();
    },
  };
}
