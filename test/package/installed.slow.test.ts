import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { run } from '../support/run-command.ts';
import { install, type Manager } from './install.ts';
import { type NodeServer, startNodeServer } from './node-server.ts';
import { createFolder, pack, ROOT, shellEnvironment, writeFiles } from './pack.ts';
import { CONFIGS, SITE_FILES } from './site-files.ts';

const { peerDependenciesMeta } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Versions of Astro (the newest 6.4, and a 7 whose binaries exist for all our machines) with their @astrojs/node. */
const NODE_ADAPTERS = { '6.4.8': '10.1.4', '7.3.4': '11.1.6' };
const PROJECTS: [Manager, keyof typeof NODE_ADAPTERS, keyof typeof CONFIGS][] = [
  ['npm', '6.4.8', 'luid()'],
  ['npm', '7.3.4', 'luid(space, options)'],
  ['pnpm', '7.3.4', 'luid(options)'],
];

const { folder, remove } = createFolder();
let service: RunningEmulator;
let tarball: string;
beforeAll(async () => {
  const { seed, directory } = smallSeed();
  service = await startEmulator(seed, { directory });
  tarball = await pack(folder);
});
afterAll(async () => {
  await service?.close();
  remove();
});

describe.each(PROJECTS)('installed by %s with Astro %s and %s', (manager, astro, config) => {
  const project = join(folder, `${manager}-${astro}`);
  const environment = () =>
    shellEnvironment({
      LUID_BASE_URL: service.baseUrl,
      LUID_ASSETS_URL: service.assetsUrl,
      LUID_API_KEY: 'published-key',
    });
  const built = (file: string) => readFileSync(join(project, 'dist', file), 'utf8');
  let server: NodeServer;

  beforeAll(async () => {
    const packages = { astro, '@astrojs/node': NODE_ADAPTERS[astro], 'astro-luid': `file:${tarball}` };
    await install(manager, project, packages);
    writeFiles(project, { ...SITE_FILES, 'astro.config.mjs': CONFIGS[config] });
    await run(join(project, 'node_modules/.bin/astro'), ['build'], { cwd: project, env: environment() });
    server = await startNodeServer(project, environment());
  });
  afterAll(() => server?.close());

  test('optional peers are not installed', () => {
    const packageFolder = realpathSync(join(project, 'node_modules/astro-luid'));
    const { resolve } = createRequire(join(packageFolder, 'package.json'));
    const missing = Object.keys(peerDependenciesMeta).filter((name) => {
      try {
        return !existsSync(resolve(name));
      } catch {
        return true;
      }
    });
    // Astro 6 depends on some of them, which npm hoists.
    expect(missing).toEqual(expect.arrayContaining(['hast-util-sanitize', 'remark', 'marked', 'turndown']));
  });

  test('a page shows its content, component and CDN images', () => {
    const page = built('client/harbour-at-dusk/index.html');
    for (const part of ['夕暮れの港を歩く', '森 ゆり', '<h2 id="市場の朝を待つ">'])
      expect(page).toContain(part);
    // From the component, the image service and `mediaUrl`.
    for (const width of [100, 120, 140])
      expect(page).toMatch(new RegExp(`"${service.assetsUrl}[^"]*[?;&]width=${width}\\b`));
  });

  test('a page has a head and a rich text, and a feed has its items', () => {
    const page = built('client/harbour-at-dusk/index.html');
    expect(page).toContain('<title>夕暮れの港を歩く | Site</title>');
    expect(page).toMatch(/<meta property="og:image" content="[^"]*width=1200&amp;height=630/);
    expect(page).toMatch(/<script type="application\/ld\+json">\{"@context"/);
    const [, text = ''] = /<section>([\s\S]*)<\/section>/.exec(page) ?? [];
    expect(text).toContain('<h2 id="市場の朝を待つ">');
    expect(page.split(text)).toHaveLength(3);
    expect(page).toContain('<p>1 headings</p>');
    const items = JSON.parse(built('client/rss.json')) as { link: string }[];
    expect(items.map(({ link }) => link)).toContain('/harbour-at-dusk/');
  });

  test('RichText with components renders them, or names the package to install', async () => {
    const text: unknown = JSON.parse(await server.page('/rich.json'));
    // Astro 6 depends on parse5, which npm hoists.
    if (astro.startsWith('6.')) expect(text).toBe('<p><x-link href="/x">y</x-link></p>');
    else expect(text).toContain('npm install parse5');
  });

  test('`cacheKey` adds less than 1 kB to a page', () => {
    const scripts = globSync('dist/client/_astro/*.js', { cwd: project });
    const sizes = scripts.map((file) => gzipSync(readFileSync(join(project, file))).byteLength);
    expect(sizes).toHaveLength(1);
    expect(sizes[0]).toBeLessThan(1000);
  });

  test('a live page is served', async () => {
    const page = await server.page('/fresh');
    for (const part of ['夕暮れの港を歩く', '夜行列車の窓', '<p>田中 航</p>']) expect(page).toContain(part);
  });

  test('a live page that needs an optional peer names the packages to install', async () => {
    const page = await server.page('/untrusted');
    expect(page).toContain('LuidConfigError');
    expect(page).toContain('npm install parse5 hast-util-sanitize');
  });

  test('a build that needs an optional peer names the packages to install', async () => {
    const configFile = 'src/content.config.ts';
    writeFiles(project, {
      [configFile]: SITE_FILES[configFile]
        .replace('{ space }', '{ untrusted as space }')
        .replace(", body: 'body'", ''),
    });
    const sync = run(join(project, 'node_modules/.bin/astro'), ['sync'], {
      cwd: project,
      env: environment(),
    });
    await expect(sync).rejects.toThrow('npm install parse5 hast-util-sanitize');
  });
});
