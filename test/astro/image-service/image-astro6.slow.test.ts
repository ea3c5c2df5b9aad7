import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { run } from '../../support/run-command.ts';
import { checkDev, checkServer, checkStatic, type Services, startServices, writeSite } from './image-site.ts';

const ROOT = join(import.meta.dirname, '../../..');

let services: Services;
let folder: string;

beforeAll(async () => {
  services = await startServices();
  folder = mkdtempSync(join(tmpdir(), 'astro-luid-astro6-'));
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  const dependencies = { astro: '6.4.8', '@astrojs/node': '10.1.4', 'astro-luid': `file:${tarball}` };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', private: true, dependencies }),
  );
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
  });
});
afterAll(async () => {
  await services?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('with Astro 6.4, its components use the CDN for pictures of the space, and sharp for all others', () => {
  test('in a static build', async () => {
    writeSite(folder, services, false);
    await checkStatic(folder, services);
  });

  test('in astro dev', async () => {
    writeSite(folder, services, false);
    await checkDev(folder, services);
  });

  test('in a site that is rendered by a server', async () => {
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    writeSite(folder, services, true);
    await checkServer(folder, services);
  });
});
