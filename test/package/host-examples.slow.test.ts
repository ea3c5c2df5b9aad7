import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, sampleSeed, startEmulator } from '../../src/emulator/index.ts';
import { npmPackages } from '../support/npm-packages.ts';
import { run } from '../support/run-command.ts';
import { ROOT, shellEnvironment } from './pack.ts';

// The examples of hosts, built with what they install. What needs an account is not tried: each README lists it.

const HOSTS = ['cloudflare', 'netlify', 'vercel'] as const;
type Host = (typeof HOSTS)[number];

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

const dependenciesOf = (path: string): Record<string, string> =>
  JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')).dependencies;
const { 'astro-luid': _, ...versions } = Object.assign(
  { '@astrojs/check': '0.9.10', typescript: '6.0.3' },
  dependenciesOf('.'),
  ...HOSTS.map((host) => dependenciesOf(`examples/${host}`)),
);
const packages = await npmPackages('the examples of hosts', versions);

describe.runIf(packages)('the example of', () => {
  let service: RunningEmulator;
  const sites = new Map<Host, string>();
  const site = (host: Host) => sites.get(host) as string;

  beforeAll(async () => {
    const { seed, directory } = sampleSeed();
    service = await startEmulator(seed, { directory, rateLimit: false });
    for (const host of HOSTS) sites.set(host, copyExample(host));
  });
  afterAll(async () => {
    for (const folder of sites.values()) rmSync(folder, { recursive: true, force: true });
    await service?.close();
  });

  /** A copy beside the packages, from where they are resolved. */
  function copyExample(host: Host): string {
    const folder = mkdtempSync(join(dirname(packages?.path('') as string), `${host}-`));
    cpSync(join(ROOT, 'examples', host), folder, { recursive: true });
    const installed = join(folder, 'node_modules/astro-luid');
    for (const file of ['dist', 'package.json']) {
      cpSync(join(ROOT, file), join(installed, file), { recursive: true });
    }
    return folder;
  }

  const environment = () =>
    shellEnvironment({
      LUID_BASE_URL: service.baseUrl,
      LUID_ASSETS_URL: service.assetsUrl,
      LUID_API_KEY: 'published-key',
    });

  function astro(host: Host, ...args: string[]): Promise<string> {
    const bin = packages?.path('astro/bin/astro.mjs') as string;
    return run(process.execPath, [bin, ...args], { cwd: site(host), env: environment() });
  }

  /** Requests pages from the built function, in a process of its own. */
  async function request(host: Host, entry: string, ...paths: string[]): Promise<Response[]> {
    const code = `
      const { default: built } = await import(${JSON.stringify(pathToFileURL(handlerOf(join(site(host), entry))).href)});
      const handle = built.fetch ?? built;
      const responses = [];
      for (const path of ${JSON.stringify(paths)}) {
        const response = await handle(new Request('https://site.test' + path), {});
        const headers = Object.fromEntries(response.headers);
        responses.push({ status: response.status, headers, html: await response.text() });
      }
      process.stdout.write('\\n' + JSON.stringify(responses), () => process.exit());`;
    const output = await run(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: site(host),
      env: environment(),
    });
    return JSON.parse(output.slice(output.lastIndexOf('\n')));
  }

  /** Vercel's function is a folder that names its handler. */
  function handlerOf(entry: string): string {
    if (entry.endsWith('.mjs')) return entry;
    const { handler } = JSON.parse(readFileSync(join(entry, '.vc-config.json'), 'utf8'));
    return join(entry, handler);
  }

  test.each(HOSTS)('%s type-checks', async (host) => {
    await astro(host, 'check', '--minimumFailingSeverity', 'warning');
  });

  test.each([
    ['netlify', '.netlify/v1/functions/ssr/ssr.mjs', 'netlify-cache-tag'],
    ['vercel', '.vercel/output/functions/_render.func', 'vercel-cache-tag'],
  ] as const)('%s shows articles, with few cache tags', async (host, entry, header) => {
    await astro(host, 'build');
    const [list, article, missing] = await request(
      host,
      entry,
      '/',
      '/articles/harbour-at-dusk/',
      '/articles/none/',
    );
    expect([list?.status, article?.status, missing?.status]).toEqual([200, 200, 404]);
    expect(list?.html).toContain('href="/articles/harbour-at-dusk/"');
    expect(article?.html).toMatch(/<h1[^>]*>夕暮れの港を歩く<\/h1>/);
    expect(list?.headers[header]).toMatch(/^luid:lists:\w+,astro-path:\/$/);
    expect(article?.headers[header]).toMatch(/^luid:entry:\w+,luid:entries:\w+,astro-path:/);
  });

  test('cloudflare is a Worker without the content, and warns that its storage is not known', async () => {
    const output = await astro('cloudflare', 'build');
    expect(output).toContain('Workers do not read all content');
    const files = globSync('dist/server/**/*.mjs', { cwd: site('cloudflare') });
    const code = files.map((file) => readFileSync(join(site('cloudflare'), file), 'utf8')).join('\n');
    expect(code).not.toContain('夕暮れの港を歩く');
    // Astro's store, without an entry.
    const store = files.filter((file) => file.includes('data-layer-content'));
    expect(store.map((file) => statSync(join(site('cloudflare'), file)).size < 1000)).toEqual([true]);
    const { kv_namespaces: bindings } = JSON.parse(
      readFileSync(join(site('cloudflare'), 'dist/server/wrangler.json'), 'utf8'),
    );
    expect(bindings).toContainEqual(expect.objectContaining({ binding: 'CONTENT' }));
  });
});
