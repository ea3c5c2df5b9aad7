import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { filesIn } from '../../support/folder-files.ts';
import { createProject, LUID, type Project } from '../support/cli-project.ts';

/** Records requests and responds with a fixed status. */
class HookServer {
  status = 200;
  body = '';
  readonly seen: { path: string; headers: IncomingMessage['headers']; body: string }[] = [];
  url = '';
  readonly #server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      this.seen.push({ path: `${request.method} ${request.url}`, headers: request.headers, body });
      response.writeHead(this.status).end(this.body);
    });
  });

  async open(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe('luid watch', () => {
  let service: RunningEmulator;
  let project: Project;
  let hooks: HookServer;
  beforeAll(async () => {
    hooks = new HookServer();
    await hooks.open();
  });
  afterAll(() => hooks.close());
  beforeEach(async () => {
    service = await startEmulator({
      keys: [{ key: 'the-secret-key', reads: 'published' }],
      models: { note: { title: { type: 'text', title: true } } },
      contents: [
        { id: 1, model: 'note', created_at: '2026-01-01T00:00:00Z', published: { main: { title: 'A' } } },
      ],
      languages: { main: 'main', sub: [] },
    });
    project = createProject();
    project.install();
    project.write('.env', `LUID_BASE_URL=${service.baseUrl}\nLUID_API_KEY=the-secret-key\n`);
    project.write(
      'src/space.ts',
      `import { defineSpace, field } from 'astro-luid';
       export const space = defineSpace({ models: { note: { title: field.text({ title: true }) } } });`,
    );
    hooks.seen.length = 0;
    hooks.status = 200;
    hooks.body = '';
  });
  afterEach(async () => {
    project.remove();
    await service.close();
  });

  const cron = ['watch', '--once', '--if-changed', '--settle', '0s', '--json'];
  const hook = (path = '/hooks/secret-part') => ['--hook', hooks.url + path];

  test('--once --if-changed fires once per change, and reports when there is nothing to do', async () => {
    const first = await project.luid([...cron, ...hook()]);
    expect(JSON.parse(first.stdout)).toEqual({ fired: false, first: true });
    service.contents.edit(1, { title: 'B' });
    const second = await project.luid([...cron, ...hook()]);
    expect([second.code, JSON.parse(second.stdout)]).toEqual([0, { fired: true, first: false }]);
    const third = await project.luid([...cron, ...hook()]);
    expect([third.code, JSON.parse(third.stdout)]).toEqual([0, { fired: false, first: false }]);
    expect(third.stderr).toContain('Nothing to do');
    expect(hooks.seen).toMatchObject([{ path: 'POST /hooks/secret-part', body: '' }]);
    const output = [first, second, third].map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(output).not.toMatch(/secret/);
    const stored = filesIn(join(project.folder, 'node_modules/.astro')).map(
      (file) => file + readFileSync(file),
    );
    expect(stored.length).toBeGreaterThan(2);
    expect(stored.join()).not.toMatch(/secret/);
  });

  test('a failed hook exits with code 1 and is retried by the next run', async () => {
    await project.luid([...cron, ...hook()]);
    service.contents.edit(1, { title: 'B' });
    hooks.status = 404;
    const failed = await project.luid([...cron, ...hook()]);
    expect([failed.code, failed.stdout]).toEqual([1, '']);
    expect(failed.stderr).toMatch(
      /^luid watch: the hook at 127\.0\.0\.1:\d+ responded with 404\n {2}→ .+\n$/,
    );
    hooks.status = 200;
    expect(JSON.parse((await project.luid([...cron, ...hook()])).stdout)).toMatchObject({ fired: true });
  });

  test('the hint for a 500 says that the host failed, not the hook', async () => {
    hooks.status = 500;
    const { code, stderr } = await project.luid(['watch', '--once', ...hook()]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/responded with 500\n {2}→ The hook is correct, but the host failed/);
  });

  test('the first run explains --fire-first', async () => {
    const without = await project.luid([...cron, ...hook('/without')]);
    expect(without.stderr).toContain(
      'assuming that the current content is deployed (--fire-first calls the hook instead)',
    );
    const given = await project.luid([...cron, '--fire-first', ...hook('/given')]);
    expect(given.stderr).toContain('No earlier deploy known: --fire-first calls the hook');
    expect([given.code, hooks.seen.map(({ path }) => path)]).toEqual([0, ['POST /given']]);
  });

  test('each target has its own state', async () => {
    await project.luid([...cron, ...hook('/a')]);
    service.contents.edit(1, { title: 'B' });
    expect(JSON.parse((await project.luid([...cron, ...hook('/b')])).stdout)).toMatchObject({ first: true });
    expect(JSON.parse((await project.luid([...cron, ...hook('/a')])).stdout)).toMatchObject({ fired: true });
  });

  test('each export of a space file has its own state, with the same URL and target', async () => {
    project.write(
      'src/space.ts',
      `import { defineSpace, field } from 'astro-luid';
       export const blog = defineSpace({ models: { note: { title: field.text({ title: true }) } } });
       export const shop = defineSpace({ models: { product: { title: field.text({ title: true }) } } });`,
    );
    const run = async (name: string) =>
      JSON.parse((await project.luid([...cron, ...hook(), '--export', name])).stdout);
    expect(await run('blog')).toEqual({ fired: false, first: true });
    expect(await run('shop')).toEqual({ fired: false, first: true });
    expect(await run('blog')).toEqual({ fired: false, first: false });
    expect(hooks.seen).toEqual([]);
  });

  test('--once fires even without a change', async () => {
    const { code, stderr } = await project.luid(['watch', '--once'], { LUID_HOOK: `${hooks.url}/always` });
    expect([code, hooks.seen.length]).toEqual([0, 1]);
    expect(stderr).toContain('Called the hook at 127.0.0.1');
  });

  test('--host github sends a repository_dispatch with the token, and does not print the token', async () => {
    const env = { GITHUB_TOKEN: 'ghp_secret', GITHUB_API_URL: hooks.url };
    hooks.status = 204;
    const args = ['watch', '--once', '--host', 'github', '--repo', 'me/site', '--event', 'rebuild'];
    const { code, stdout, stderr } = await project.luid(args, env);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('rebuild in me/site');
    expect(stderr).not.toContain('ghp_');
    expect(hooks.seen).toMatchObject([
      {
        path: 'POST /repos/me/site/dispatches',
        headers: { authorization: 'Bearer ghp_secret', accept: 'application/vnd.github+json' },
        body: '{"event_type":"rebuild"}',
      },
    ]);
  });

  test('--refresh lets a site check for changes, with the secret in a header only', async () => {
    const args = ['watch', '--once', '--json', '--refresh', hooks.url];
    const env = { LUID_REFRESH_SECRET: 'open sesame, little door' };
    hooks.body = '{"refreshed":true}';
    const { code, stdout, stderr } = await project.luid(args, env);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { fired: true }]);
    expect(hooks.seen).toMatchObject([
      { path: 'POST /_luid/refresh', headers: { 'x-luid-secret': 'open sesame, little door' }, body: '{}' },
    ]);
    hooks.status = 401;
    const refused = await project.luid(args, env);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('responded with 401')]);
    const missing = await project.luid(args);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('Set LUID_REFRESH_SECRET')]);
    expect(stdout + stderr + refused.stderr + missing.stderr).not.toContain('sesame');
  });

  test('--exec runs a command in the project, and fails if its exit code is not 0', async () => {
    const good = await project.luid(['watch', '--once', '--exec', 'echo built > out && echo said']);
    expect([good.code, good.stdout, project.read('out')]).toEqual([0, '', 'built\n']);
    expect(good.stderr).toContain('said\n');
    const bad = await project.luid(['watch', '--once', '--exec', 'exit 3']);
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('The command exited with 3')]);
  });

  test('exits with 143 on SIGTERM during a single run, as --help says', async () => {
    const command = `node -e "require('fs').writeFileSync('started', ''); setTimeout(() => {}, 20000)"`;
    const child = spawn(process.execPath, [LUID, 'watch', '--once', '--exec', command], {
      cwd: project.folder,
      stdio: 'ignore',
    });
    await expect.poll(() => project.has('started')).toBe(true);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
    const { stdout } = await project.luid(['watch', '--help']);
    expect(stdout).toContain('stopped by SIGTERM (with --once: 143)');
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'keeps running, fires for a change, and exits on %s',
    async (signal) => {
      const child = spawn(
        process.execPath,
        [LUID, 'watch', '--json', '--every', '1s', '--settle', '0s', ...hook()],
        {
          cwd: project.folder,
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      );
      const { seen, event } = eventsOf(child);
      await event('first');
      service.contents.edit(1, { title: 'B' });
      await event('fired');
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([signal === 'SIGINT' ? 130 : 0, null]);
      expect(seen.map((one) => one.event)).toEqual(['watching', 'first', 'changed', 'fired']);
      expect(hooks.seen.length).toBe(1);
    },
  );

  test('--listen checks when a webhook of the service arrives, and calls the hook for a change', async () => {
    const secret = 'open sesame, little door';
    const args = ['watch', '--json', '--listen', '0', '--header', 'x-hook', '--settle', '0s', ...hook()];
    const child = spawn(process.execPath, [LUID, ...args], {
      cwd: project.folder,
      env: { ...process.env, LUID_REFRESH_SECRET: secret },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { event } = eventsOf(child);
    const { port } = await event('listening');
    await event('first');
    const url = `http://127.0.0.1:${port}/_luid/refresh`;
    service.webhooks.set([{ url, headers: { 'x-hook': secret } }]);
    service.contents.edit(1, { title: 'B' });
    await event('fired');
    await service.webhooks.settled();
    expect(service.webhooks.deliveries).toMatchObject([{ event: 'publish', status: 200 }]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(hooks.seen.length).toBe(1);
  });

  test.each([
    [[], 'no hook: pass --hook URL'],
    [['--hook', 'http://x', '--listen', '8787', '--once'], '--listen cannot be combined with --once'],
    [['--hook', 'http://x', '--header', 'x-hook'], '--header requires --listen'],
    [['--hook', 'http://x', '--exec', 'y'], '--exec cannot be combined with --hook or --host'],
    [['--refresh', 'http://x', '--exec', 'y'], '--refresh cannot be combined with --hook, --host or --exec'],
    [['--hook', 'http://x', '--if-changed'], '--if-changed requires --once'],
    [['--host', 'github'], '--repo OWNER/NAME'],
    [['--host', 'github', '--repo', 'site'], '--repo must be OWNER/NAME, got "site"'],
    [['--host', 'heroku'], '--host must be one of netlify, vercel, cloudflare, github, got "heroku"'],
    [['--hook', 'http://x', '--every', '100ms'], '--every must be a duration from 1s to 24d'],
    [['--hook', 'http://x', '--every', '30d'], '--every must be a duration from 1s to 24d'],
  ])('%j exits with code 2 and one line of explanation', async (args, message) => {
    const { code, stdout, stderr } = await project.luid(['watch', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^luid watch: [^\n]+ \(see luid watch --help\)\n$/);
    expect(stderr).toContain(message);
  });

  test('a wrong API key at the start exits with code 1', async () => {
    const { code, stderr } = await project.luid(['watch', ...hook()], { LUID_API_KEY: 'wrong-one' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/luid watch: .*401.*\n {2}→ The key is missing or wrong: check LUID_API_KEY/);
    expect(stderr).not.toContain('wrong-one');
  });

  test('an invalid hook URL or a missing token exits with code 1', async () => {
    const notUrl = await project.luid(['watch', '--hook', 'secret-part']);
    expect([notUrl.code, notUrl.stderr]).toEqual([
      1,
      expect.stringContaining('The hook is not an http(s) URL'),
    ]);
    expect(notUrl.stderr).not.toContain('secret-part');
    const noToken = await project.luid(['watch', '--host', 'github', '--repo', 'me/site'], {
      GITHUB_TOKEN: '',
    });
    expect([noToken.code, noToken.stderr]).toEqual([1, expect.stringContaining('GITHUB_TOKEN')]);
    const noSecret = await project.luid(['watch', '--listen', '0', ...hook()], { LUID_REFRESH_SECRET: '' });
    expect([noSecret.code, noSecret.stderr]).toEqual([1, expect.stringContaining('LUID_REFRESH_SECRET')]);
  });
});

/** The events that `luid watch --json` prints. Several lines may arrive at once. */
function eventsOf({ stdout }: { readonly stdout: Readable }) {
  const seen: { readonly event: string; readonly port?: number }[] = [];
  createInterface(stdout).on('line', (line) => seen.push(JSON.parse(line)));
  const find = (name: string) => seen.find((one) => one.event === name);
  return {
    seen,
    async event(name: string) {
      await expect.poll(() => find(name)).toBeDefined();
      return find(name) as (typeof seen)[0];
    },
  };
}
