import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { run } from '../support/run-command.ts';
import { findSigner } from './forge-cookie.ts';
import { install } from './install.ts';
import { type NodeServer, startNodeServer } from './node-server.ts';
import { createFolder, pack, shellEnvironment, writeFiles } from './pack.ts';

/** Versions of Astro with their @astrojs/node. */
const VERSIONS = [
  ['6.4.8', '10.1.4'],
  ['7.3.4', '11.1.6'],
] as const;
const SECRET = 'a secret that only editors of the site know';

const FILES = {
  // One secret for both endpoints, although it should not be.
  'astro.config.mjs': `
    import node from '@astrojs/node';
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    const secret = process.env.SECRET;
    export default {
      adapter: node({ mode: 'standalone' }),
      integrations: [luid(space, { preview: { secret }, revalidate: true, refreshSecret: secret })],
    };`,
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({ models: { author: { name: field.text() } } });`,
  // An editor has written an element that looks like the bar, in a text of which scripts are removed.
  'src/pages/[...path].astro': `---
    import { PreviewBar } from 'astro-luid/components';
    export const prerender = false;
    ---
    <p data-luid-preview data-prefix="//evil.example/_luid/preview" data-events="//evil.example/events"></p>
    <PreviewBar /><h1>page {Astro.params.path}</h1>
    <a href="http://[">broken</a><a href="/other" id="other">other</a>
    <form method="post"><input name="password" value="of the editor" /><button>Log in</button></form>`,
};

/** Paths after `/_luid/preview` that something on their way to a browser may read as another site. */
const OTHER_SITES = [
  '//evil.example/login',
  '///evil.example/login',
  '/.//evil.example/login',
  '/a/..//evil.example/login',
  '/%2e//evil.example/login',
  '/\\evil.example/login',
  '\\\\evil.example/login',
  '/%5Cevil.example/login',
  '/%255Cevil.example/login',
  '/%2Fevil.example/login',
  '/%252F%252Fevil.example/login',
  '/%25%32%46evil.example/login',
  '/%09/evil.example/login',
  '/%0d%0a/evil.example/login',
];

const { folder, remove } = createFolder();
let tarball: string;
let browser: Browser;
beforeAll(async () => {
  tarball = await pack(folder);
  if (hasBrowser) browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  remove();
});

describe.each(VERSIONS)('the preview of a site with Astro %s', (astro, node) => {
  const project = join(folder, astro);
  let server: NodeServer;
  beforeAll(async () => {
    await install('npm', project, { astro, '@astrojs/node': node, 'astro-luid': `file:${tarball}` });
    writeFiles(project, FILES);
    const env = shellEnvironment({ LUID_ASSETS_URL: 'http://127.0.0.1:1/assets', SECRET });
    await run(join(project, 'node_modules/.bin/astro'), ['build'], { cwd: project, env });
    server = await startNodeServer(project, shellEnvironment());
  });
  afterAll(() => server?.close());

  async function enter(headers: Record<string, string> = {}): Promise<string> {
    const url = `${server.url}/_luid/preview?${new URLSearchParams({ secret: SECRET })}`;
    return (await fetch(url, { redirect: 'manual', headers })).headers.get('set-cookie') ?? '';
  }

  const get = (path: string, cookie: string) =>
    fetch(server.url + path, { redirect: 'manual', headers: { cookie } });

  /** A tab of an editor who has entered the preview, and what it requests from other sites. */
  async function openTab() {
    const page = await browser.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
    await page.route(/^https?:\/\/evil\.example\//, (route) => route.fulfill({ body: 'stolen' }));
    await page.goto(`${server.url}/_luid/preview?${new URLSearchParams({ secret: SECRET })}`);
    const elsewhere = () => requests.filter((request) => !request.includes(` ${server.url}/`));
    return { page, requests, elsewhere };
  }

  test.skipIf(!hasBrowser)(
    'sends the forms of a page to the site, whatever link an editor follows',
    async () => {
      const { page, requests, elsewhere } = await openTab();
      const submit = async (path: string) => {
        await page.goto(`${server.url}/_luid/preview${path}`);
        const button = await page.$('button');
        if (button) await Promise.all([page.waitForNavigation(), button.click()]);
        return button !== null;
      };
      expect(await submit('/login')).toBe(true);
      expect(requests).toContain(`POST ${server.url}/login`);
      for (const path of OTHER_SITES) expect([path, await submit(path)]).toEqual([path, false]);
      expect(elsewhere()).toEqual([]);
      await page.close();
    },
  );

  test.skipIf(!hasBrowser)(
    'lets links lead to the site, whatever an editor has written into the page',
    async () => {
      const { page, elsewhere } = await openTab();
      await page.goto(`${server.url}/_luid/preview/articles`);
      expect(await page.getAttribute('#other', 'href')).toBe('/_luid/preview/other');
      await page.getByText('updates itself').waitFor({ state: 'attached' });
      expect(elsewhere()).toEqual([]);
      await page.close();
    },
  );

  test('has no page below /_luid/preview where the path may be that of another site', async () => {
    const [cookie = ''] = (await enter()).split(';');
    expect((await get('/_luid/preview/login', cookie)).status).toBe(200);
    for (const path of OTHER_SITES) {
      const response = await get(`/_luid/preview${path}`, cookie);
      expect([path, response.status, response.headers.get('location')]).toEqual([path, 404, null]);
      expect(await response.text()).not.toContain('<form');
    }
  });

  test('has a cookie that is secure behind a proxy that ends HTTPS', async () => {
    expect(await enter()).not.toMatch(/secure/i);
    expect(await enter({ 'x-forwarded-proto': 'https' })).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
  });

  test('has a cookie that nobody can sign who has read all of the built server', async () => {
    const [cookie = ''] = (await enter()).split(';');
    const files = globSync('dist/**/*', { cwd: project }).map((name) => join(project, name));
    const built = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, 'latin1'));
    expect(built.join('')).toContain('publicKey');
    expect(built.map((text) => findSigner(text, cookie)).filter(Boolean)).toEqual([]);
    // The search would find the secret.
    expect(findSigner(`${built[0]}\nconst secret = "${SECRET}";`, cookie)).toBe(SECRET);
  });
});
