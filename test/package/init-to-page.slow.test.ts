import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HAS_TMUX, openTerminal } from '../cli/support/terminal.ts';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { run } from '../support/run-command.ts';
import { WAIT_LIMIT } from '../support/until.ts';

const ROOT = join(import.meta.dirname, '../..');
const { VITEST, LUID_BASE_URL, LUID_API_KEY, LUID_ASSETS_URL, CI, ...inherited } = process.env;
const env = { ...inherited, ASTRO_TELEMETRY_DISABLED: '1' };

let parent: string;
let service: RunningCommand;
let baseUrl: string;
const started: RunningCommand[] = [];

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'astro-luid-init-to-page-'));
  await run('npm', ['pack', '--silent', '--pack-destination', parent], { cwd: ROOT, env });
  const [tarball = ''] = readdirSync(parent).filter((name) => name.endsWith('.tgz'));
  const folder = join(parent, 'site');
  mkdirSync(folder);
  await run('npm', ['init', '-y'], { cwd: folder, env });
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  // The versions that this repository is tested with; some registries do not have newer ones.
  const pinned = { ...manifest, overrides: { astro: '7.3.4', rolldown: '1.2.18' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(pinned, null, 4));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...flags, `../${tarball}`], { cwd: folder, env });
  service = start(folder, ['npx', 'luid', 'emulator']);
  [, baseUrl = ''] = await service.prints(/ready (\S+)/);
});
afterAll(async () => {
  for (const command of started) await command.end();
  rmSync(parent, { recursive: true, force: true });
});

interface RunningCommand {
  /** Resolves when the output matches. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  end(): Promise<void>;
}

function start(cwd: string, [command = '', ...args]: string[]): RunningCommand {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let isRunning = true;
  const ended = new Promise<void>((resolve) =>
    child.on('exit', () => {
      isRunning = false;
      resolve();
    }),
  );
  let printed = '';
  const result: RunningCommand = {
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        const checkOutput = () => {
          const found = pattern.exec(printed);
          if (found) resolve(found);
        };
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding('utf8').on('data', (text: string) => {
            printed += text;
            checkOutput();
          });
        }
        child.on('exit', () => reject(new Error(`${command} ${args.join(' ')} ended:\n${printed}`)));
      }),
    end: async () => {
      if (isRunning && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
    },
  };
  started.push(result);
  return result;
}

/** Starts `astro dev`, opens the front page in a browser and inspects it. */
async function inspectSite<T>(
  folder: string,
  inspect: (page: import('playwright-core').Page) => Promise<T>,
): Promise<T> {
  const dev = start(folder, ['npx', 'astro', 'dev', '--port', '0']);
  const [url = ''] = await dev.prints(/http:\/\/localhost:\d+/);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(WAIT_LIMIT);
    await page.goto(url);
    return await inspect(page);
  } finally {
    await browser.close();
    await dev.end();
  }
}

describe.skipIf(!HAS_TMUX || !hasBrowser)(
  'from a folder to a page in a browser, with the packed package',
  () => {
    test('in a new folder, after npm init and npm install', async () => {
      const folder = join(parent, 'site');
      const beganAt = performance.now();
      const terminal = openTerminal(folder, ['npx', 'astro-luid', 'init'], env);
      try {
        await terminal.shows('Another URL');
        terminal.press('Down');
        terminal.press('Enter');
        await terminal.shows('URL of the service');
        terminal.type(baseUrl.replace('/v1', ''));
        terminal.press('Enter');
        await terminal.shows('API key (');
        terminal.type('published-key');
        terminal.press('Enter');
        await terminal.shows('The version segment is missing');
        await terminal.shows(new RegExp(`URL of the service\\s+│ +${baseUrl}`));
        terminal.press('Enter');
        await terminal.shows('Which models does the site use?');
        terminal.press('Enter');
        await terminal.shows(/Write src\/space\.ts/);
        terminal.press('Enter');
        await terminal.shows('ended 0');
      } finally {
        terminal.close();
      }
      const shown = await inspectSite(folder, async (page) => {
        const cards = await page.locator('.entries a').count();
        const title = (await page.locator('.entries strong').first().textContent()) ?? '';
        await page.locator('.entries a').first().click();
        await page.waitForURL(/\/ja\/article\//);
        return { cards, title, heading: await page.locator('article h1').textContent() };
      });
      console.log(
        `without downloads, from init to the page in ${Math.round(performance.now() - beganAt)} ms`,
      );
      // Up to three of each model.
      expect(shown).toEqual({ cards: 20, title: shown.heading, heading: expect.stringMatching(/./) });
      const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
      expect(JSON.parse(manifest)).toMatchObject({ name: 'site', type: 'module', main: 'index.js' });
      expect(manifest).toMatch(/^ {4}"overrides": \{\n {8}"astro": "7\.3\.4"/m);
    });

    test('in an existing site that has a collection and an integration, with --service', async () => {
      const folder = join(parent, 'existing');
      const files = {
        'package.json': readFileSync(join(parent, 'site/package.json'), 'utf8'),
        'astro.config.mjs': `// @ts-check
import { defineConfig } from 'astro/config';

const mine = { name: 'mine', hooks: { 'astro:config:setup': ({ injectScript }) => injectScript('page', 'window.mine = true') } };

export default defineConfig({
  integrations: [mine],
});
`,
        'src/content.config.ts': `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';

const blog = defineCollection({ loader: glob({ base: './src/blog', pattern: '*.md' }) });

export const collections = { blog };
`,
        'src/blog/one.md': '# One\n',
        'src/pages/index.astro': `---
import { getCollection } from 'astro:content';
const [blog, articles] = [await getCollection('blog'), await getCollection('article')];
---
<h1>{blog.length} and {articles.length}</h1>
<p>{articles.find(({ data }) => data._lang === 'en')?.data.author?.name}</p>
`,
      };
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      cpSync(join(parent, 'site/node_modules'), join(folder, 'node_modules'), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !path.endsWith('/.astro'),
      });
      const beganAt = performance.now();
      const nilto = start(folder, ['npx', 'luid', 'emulator', '--header', 'X-NILTO-API-KEY']);
      const [, url = ''] = await nilto.prints(/ready (\S+)/);
      const service = ['--service', 'nilto', '--base-url', url, '--api-key', 'published-key'];
      const args = ['astro-luid', 'init', '--yes', ...service];
      await run('npx', args, { cwd: folder, env });
      const shown = await inspectSite(folder, async (page) => ({
        heading: await page.locator('h1').first().textContent(),
        author: await page.locator('p').first().textContent(),
        mine: await page.waitForFunction('window.mine').then((found) => found.jsonValue()),
      }));
      console.log(
        `without downloads, from init to the page in ${Math.round(performance.now() - beganAt)} ms`,
      );
      expect(shown).toEqual({ heading: '1 and 180', author: expect.stringMatching(/./), mine: true });
      expect(readFileSync(join(folder, 'astro.config.mjs'), 'utf8')).toContain(
        'integrations: [mine, luid(space)],',
      );
    });
  },
);
