import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { install } from '../package/install.ts';
import { type NodeServer, startNodeServer } from '../package/node-server.ts';
import { createFolder, pack, shellEnvironment, writeFiles } from '../package/pack.ts';
import { seedOf } from '../support/emulated-space.ts';
import { run } from '../support/run-command.ts';
import { until } from '../support/until.ts';

/** A site's space with a storage that others can read and write, and a server that shows one article of it. */
const FILES = {
  'src/space.ts': `
import { defineSpace, field } from 'astro-luid';
import { createStorage } from 'unstorage';
import folder from 'unstorage/drivers/fs-lite';

const title = field.text({ title: true });
export const space = defineSpace({
  models: { article: { title, body: field.flexibleText() }, event: { title } },
  cache: { storage: createStorage({ driver: folder({ base: process.env.STORAGE }) }) },
  network: { concurrency: 1 },
});`,
  'server.mjs': `
import { createServer } from 'node:http';
import { space } from './src/space.ts';

const loader = space.liveLoader('article', { refresh: '1s', drafts: process.env.DRAFTS === '1' });
createServer(async (request, response) => {
  const result = await loader.loadEntry({ filter: { id: request.url.slice(1) }, collection: 'articles' });
  response.end(result.error ? String(result.error) : result.data.title);
}).listen(0, '127.0.0.1', function () {
  console.log('listening on http://127.0.0.1:' + this.address().port + ' ');
});`,
};
const ATTACKS = join(import.meta.dirname, 'attacks');
/** Of the article that is edited, and of a draft. */
const [ARTICLE, DRAFT] = [2, 987_654_321];
const SECRET = 'Unannounced merger';

const { folder, remove } = createFolder();
const project = join(folder, 'site');
let service: RunningEmulator;
let storage: string;
let runs = 0;
const running: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  const tarball = await pack(folder);
  await install('npm', project, { astro: '7.3.4', unstorage: '1.17.5', 'astro-luid': `file:${tarball}` });
  writeFiles(project, FILES);
});
beforeEach(async () => {
  storage = join(folder, `storage-${++runs}`);
  mkdirSync(storage);
  const { contents, ...seed } = seedOf(40);
  const draft = {
    id: DRAFT,
    model: 'article',
    created_at: '2026-01-01T00:00:00Z',
    draft: { ja: { title: SECRET, body: '<p>The board has agreed</p>' } },
  };
  service = await startEmulator({ ...seed, contents: [...contents, draft] }, { rateLimit: false });
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
  await service.close();
});
afterAll(remove);

const environment = (more: NodeJS.ProcessEnv = {}) =>
  shellEnvironment({
    LUID_BASE_URL: service.baseUrl,
    LUID_API_KEY: 'published',
    LUID_DRAFT_API_KEY: 'drafts',
    STORAGE: storage,
    ...more,
  });

async function startServer(more?: NodeJS.ProcessEnv): Promise<NodeServer> {
  const server = await startNodeServer(project, environment(more), 'server.mjs');
  running.push(server);
  return server;
}

async function startAttack(...args: string[]): Promise<void> {
  const script = join(ATTACKS, 'restore-old-content.mjs');
  const child: ChildProcess = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push({
    async close() {
      const ended = once(child, 'exit');
      if (child.kill('SIGKILL')) await ended;
    },
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
}

/** The record of the lease; `undefined` while it is being written. */
function leaseIn(dir: string): string | undefined {
  const [file] = globSync('live/**', { cwd: dir, withFileTypes: true }).filter((one) => one.isFile());
  try {
    return file && JSON.stringify(JSON.parse(readFileSync(join(file.parentPath, file.name), 'utf8')));
  } catch {
    return undefined;
  }
}

const generationIn = (dir: string) =>
  Math.max(...globSync('*/*/manifest/*', { cwd: dir }).map((file) => Number.parseInt(basename(file), 10)));

describe('an attacker with the storage of the packed package, and without a key', () => {
  test.each(['forged', 'captured'])('cannot make servers show old content, with %s leases', async (kind) => {
    const [a, b] = [await startServer(), await startServer()];
    const titles = (...servers: NodeServer[]) => Promise.all(servers.map((one) => one.page(`/${ARTICLE}`)));
    expect(await titles(a, b)).toEqual(['item 2', 'item 2']);
    const [copy, recordsFile] = [`${storage}-copy`, `${storage}-records.json`];
    const records = new Set<string>();
    // The last one confirms what is stored.
    await until(() => {
      const record = leaseIn(storage);
      if (record) records.add(record);
      if (!record || records.size < 4) return false;
      cpSync(storage, copy, { recursive: true });
      const { content, checkedAt } = JSON.parse(record);
      return checkedAt !== null && Number.parseInt(content, 10) === generationIn(copy);
    }, 20);
    writeFileSync(recordsFile, `[${[...records].join()}]`);
    service.contents.edit(ARTICLE, { title: 'newer' });
    await until(async () => (await titles(a, b)).every((title) => title === 'newer'));
    await startAttack(storage, copy, recordsFile, kind);
    service.clearLog();
    // It shows what is stored, until its first own check.
    const started = await startServer();
    await until(async () => {
      expect(await titles(a, b)).toEqual(['newer', 'newer']);
      return (await titles(started))[0] === 'newer' && service.log.length > 20;
    }, 20);
    rmSync(copy, { recursive: true });
  });

  test('cannot read drafts that servers and commands have stored', async () => {
    const server = await startServer({ DRAFTS: '1' });
    expect(await server.page(`/${DRAFT}`)).toBe(SECRET);
    await run(join(project, 'node_modules/.bin/luid'), ['sync', '--drafts'], {
      cwd: project,
      env: environment(),
    });
    const script = join(ATTACKS, 'read-drafts.mjs');
    const parts = [SECRET, 'The board has agreed', String(DRAFT), 'item 2'];
    const output = JSON.parse(await run(process.execPath, [script, storage, ...parts], { cwd: folder }));
    expect(output.files).toBeGreaterThan(10);
    expect(output.found).toEqual([]);
    // What is published is stored as it is: the attacker knows where to look.
    await run(join(project, 'node_modules/.bin/luid'), ['sync'], { cwd: project, env: environment() });
    const published = JSON.parse(await run(process.execPath, [script, storage, ...parts], { cwd: folder }));
    expect(published.found).toEqual(['item 2']);
  });
});
