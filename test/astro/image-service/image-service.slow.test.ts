import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import { createSite, type Site } from '../../e2e/site.ts';
import { checkDev, checkServer, checkStatic, type Services, startServices, writeSite } from './image-site.ts';

let services: Services;
let site: Site;

beforeAll(async () => {
  services = await startServices();
});
afterAll(() => services?.close());
beforeEach(() => {
  site = createSite({}, {}, ['sharp', '@astrojs/node', '.bin']);
});
afterEach(() => site.remove());

describe('Astro’s own components use the CDN for pictures of the space, and sharp for all others', () => {
  test('in a static build, which downloads none of the space’s', async () => {
    writeSite(site.folder, services, false);
    await checkStatic(site.folder, services);
  });

  test('in astro dev', async () => {
    writeSite(site.folder, services, false);
    await checkDev(site.folder, services);
  });

  test('in a site that is rendered by a server', async () => {
    writeSite(site.folder, services, true);
    await checkServer(site.folder, services);
  });
});
