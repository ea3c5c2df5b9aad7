import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { filesIn } from '../../support/folder-files.ts';
import { createProject, LUID, type Project } from '../project.ts';
import { MAX_AGE, type Nap, World, type WorldOptions } from '../watch-world.ts';

const MINUTE = 60_000;
const nap = (edits: readonly (() => void)[] = [], more: Partial<Nap> = {}): Nap => ({
  edits,
  meanwhile: [],
  outage: 'none',
  hook: 'ok',
  crash: undefined,
  ...more,
});

/** Lives through naps on a world of its own, which is given to what makes them. */
async function live(
  options: WorldOptions,
  naps: (world: World) => readonly Nap[],
  calm = 10 * MINUTE,
): Promise<World> {
  const world = new World(options);
  await world.open();
  try {
    await world.live(naps(world), calm);
    return world;
  } finally {
    await world.close();
  }
}

describe('what calls a hook', () => {
  test('many edits, one after the other, are one call once there is quiet', async () => {
    const world = await live({ items: 20 }, ({ service: { contents } }) =>
      [2, 3, 4].map((id) => nap([() => contents.edit(id, { title: `new ${id}` })])),
    );
    expect(world).toMatchObject({ calls: 1, isDeployed: true, events: ['first', 'changed', 'fired'] });
  });

  test('a draft that is saved and discarded again, which moves `_updated_at` and `_status`: none', async () => {
    const world = await live({ items: 20 }, ({ service: { contents } }) => [
      nap([() => contents.saveDraft(2, { title: 'draft' })]),
      nap(),
      nap(),
      nap([() => contents.discardDraft(2)]),
    ]);
    expect(world).toMatchObject({ calls: 0, changes: 0, events: ['first'] });
  });

  test('a saved draft, to a key that reads drafts', async () => {
    const world = await live({ items: 20, drafts: true }, ({ service: { contents } }) => [
      nap([() => contents.saveDraft(2, { title: 'draft' })]),
    ]);
    expect(world).toMatchObject({ calls: 1, isDeployed: true });
  });

  test('what is published once more as it is: somebody asks for it to be shown', async () => {
    const world = await live({ items: 20 }, ({ service: { contents } }) => [
      nap([() => contents.publish(2)]),
    ]);
    expect(world).toMatchObject({ calls: 1, isDeployed: true });
  });

  test('what a slow copy of the CDN’s still hides when the heads have moved', async () => {
    const assumptions = { purgeDelay: 50_000, purgeReach: 'some' } as const;
    const world = await live({ items: 20, cdn: 'apart', assumptions }, ({ service: { contents } }) => [
      nap([() => contents.edit(2, { title: 'new' })]),
      ...Array.from({ length: 6 }, () => nap()),
      nap([() => contents.edit(2, { title: 'newer' })]),
    ]);
    expect(world).toMatchObject({ calls: 2, isDeployed: true });
  });

  test('a change that is undone after a call whose answer got lost: the site may show it', async () => {
    const world = await live({ items: 20 }, ({ service: { contents } }) => [
      nap([() => contents.archive(3)], { hook: 'mute' }),
      nap([], { hook: 'mute' }),
      nap([() => contents.restore(3)]),
    ]);
    expect(world).toMatchObject({ calls: 2, isDeployed: true, baseless: [] });
  });

  test('the same, if the watcher was killed before the change was undone', async () => {
    const world = await live({ items: 20 }, ({ service: { contents } }) => [
      nap([() => contents.archive(3)], { hook: 'mute' }),
      nap([], { hook: 'mute' }),
      nap([], { crash: { after: 0, isDone: false } }),
      nap([() => contents.restore(3)]),
    ]);
    expect(world).toMatchObject({ killed: 1, calls: 2, isDeployed: true, baseless: [] });
  });

  test('the first start only where it is asked for', async () => {
    expect(await live({ items: 5 }, () => [])).toMatchObject({ calls: 0, events: ['first'] });
    const fired = await live({ items: 5, fireFirst: true }, () => [], 11 * MINUTE);
    expect(fired.events).toEqual(['first', 'fired']);
  });

  test('content that is never quiet: now and then all the same', async () => {
    const world = await live({ items: 20 }, ({ service: { contents } }) =>
      Array.from({ length: 60 }, (_, n) => nap([() => contents.edit(2, { title: `new ${n}` })])),
    );
    expect(world.changes).toBe(60);
    expect(world.calls).toBeGreaterThan(2);
    expect(world.calls).toBeLessThan(10);
  });

  test('what the heads do not show, such as an alternative text, after `verify.maxAge` at the latest', async () => {
    const world = await live(
      { items: 300, concurrency: 2 },
      ({ service: { contents, media } }) => [
        nap([() => contents.edit(1, { portrait: 9_000_001 })]),
        // From here on, the heads are full of others.
        nap(Array.from({ length: 120 }, (_, n) => () => contents.edit(n + 20, {}))),
        ...Array.from({ length: 8 }, () => nap()),
        nap([() => media.setAlt(9_000_001, 'another')]),
      ],
      MAX_AGE + 10 * MINUTE,
    );
    expect(world).toMatchObject({ isDeployed: true, baseless: [] });
    expect(world.hours).toBeGreaterThan(23);
  });

  test('a refusal is told each time, and tried again after longer and longer pauses', async () => {
    const world = await live(
      { items: 5 },
      ({ service: { contents } }) => [
        nap([() => contents.edit(2, { title: 'new' })], { hook: 'gone' }),
        ...Array.from({ length: 40 }, () => nap([], { hook: 'gone' })),
      ],
      70 * MINUTE,
    );
    const [first = ''] = world.failures;
    expect(first).toMatch(/the hook at 127\.0\.0\.1:\d+ responded with 404/);
    expect(first).not.toContain('secret');
    expect(world.failures.length).toBe(world.calls - 1);
    expect(world.calls).toBeLessThan(8);
    expect(world.isDeployed).toBe(true);
  });
});

/** A server that notes what it is sent and answers with a status. */
class HookServer {
  status = 200;
  readonly seen: { path: string; headers: IncomingMessage['headers']; body: string }[] = [];
  url = '';
  readonly #server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      this.seen.push({ path: `${request.method} ${request.url}`, headers: request.headers, body });
      response.writeHead(this.status).end();
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
  });
  afterEach(async () => {
    project.remove();
    await service.close();
  });

  const cron = ['watch', '--once', '--if-changed', '--settle', '0s', '--json'];
  const hook = (path = '/hooks/secret-part') => ['--hook', hooks.url + path];

  test('--once --if-changed: fires once for a change, and else tells that there is nothing to do', async () => {
    const first = await project.luid([...cron, ...hook()]);
    expect(JSON.parse(first.stdout)).toEqual({ fired: false, first: true });
    service.contents.edit(1, { title: 'B' });
    const second = await project.luid([...cron, ...hook()]);
    expect([second.code, JSON.parse(second.stdout)]).toEqual([0, { fired: true, first: false }]);
    const third = await project.luid([...cron, ...hook()]);
    expect([third.code, JSON.parse(third.stdout)]).toEqual([0, { fired: false, first: false }]);
    expect(third.stderr).toContain('Nothing to do');
    expect(hooks.seen).toMatchObject([{ path: 'POST /hooks/secret-part', body: '' }]);
    const said = [first, second, third].map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(said).not.toMatch(/secret/);
    const kept = filesIn(join(project.folder, 'node_modules/.astro')).map(
      (file) => file + readFileSync(file),
    );
    expect(kept.length).toBeGreaterThan(2);
    expect(kept.join()).not.toMatch(/secret/);
  });

  test('a hook that fails: exit code 1, and the next run tries it again', async () => {
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

  test('a hook whose host fails: the hint does not blame the hook', async () => {
    hooks.status = 500;
    const { code, stderr } = await project.luid(['watch', '--once', ...hook()]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /responded with 500\n {2}→ The host itself failed: nothing is wrong with the hook/,
    );
  });

  test('the first run names --fire-first where it is not given, and says what it does where it is', async () => {
    const without = await project.luid([...cron, ...hook('/without')]);
    expect(without.stderr).toContain(
      'the content is taken as deployed (--fire-first calls the hook then, too)',
    );
    const given = await project.luid([...cron, '--fire-first', ...hook('/given')]);
    expect(given.stderr).toContain('No earlier deploy is known: the hook will be called (--fire-first)');
    expect([given.code, hooks.seen.map(({ path }) => path)]).toEqual([0, ['POST /given']]);
  });

  test('another target has a state of its own', async () => {
    await project.luid([...cron, ...hook('/a')]);
    service.contents.edit(1, { title: 'B' });
    expect(JSON.parse((await project.luid([...cron, ...hook('/b')])).stdout)).toMatchObject({ first: true });
    expect(JSON.parse((await project.luid([...cron, ...hook('/a')])).stdout)).toMatchObject({ fired: true });
  });

  test('--once alone fires in any case', async () => {
    const { code, stderr } = await project.luid(['watch', '--once'], { LUID_HOOK: `${hooks.url}/always` });
    expect([code, hooks.seen.length]).toEqual([0, 1]);
    expect(stderr).toContain('Called the hook at 127.0.0.1');
  });

  test('--host github: a repository_dispatch with the token, which is not shown', async () => {
    const env = { GITHUB_TOKEN: 'ghp_secret', GITHUB_API_URL: hooks.url };
    hooks.status = 204;
    const args = ['watch', '--once', '--host', 'github', '--repo', 'me/site', '--event', 'rebuild'];
    const { code, stdout, stderr } = await project.luid(args, env);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('rebuild of me/site');
    expect(stderr).not.toContain('ghp_');
    expect(hooks.seen).toMatchObject([
      {
        path: 'POST /repos/me/site/dispatches',
        headers: { authorization: 'Bearer ghp_secret', accept: 'application/vnd.github+json' },
        body: '{"event_type":"rebuild"}',
      },
    ]);
  });

  test('--exec runs a command in the project; another exit code than 0 is a failure', async () => {
    const good = await project.luid(['watch', '--once', '--exec', 'echo built > out && echo said']);
    expect([good.code, good.stdout, project.read('out')]).toEqual([0, '', 'built\n']);
    expect(good.stderr).toContain('said\n');
    const bad = await project.luid(['watch', '--once', '--exec', 'exit 3']);
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('The command ended with 3')]);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'runs on, fires for a change, and ends at once on %s',
    async (signal) => {
      const child = spawn(
        process.execPath,
        [LUID, 'watch', '--json', '--every', '1s', '--settle', '0s', ...hook()],
        {
          cwd: project.folder,
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      );
      const seen: string[] = [];
      const lines = createInterface(child.stdout);
      const event = async (name: string) => {
        while (!seen.includes(name)) {
          const [line] = (await once(lines, 'line')) as [string];
          seen.push((JSON.parse(line) as { event: string }).event);
        }
      };
      await event('first');
      service.contents.edit(1, { title: 'B' });
      await event('fired');
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([signal === 'SIGINT' ? 130 : 0, null]);
      expect(seen).toEqual(['watching', 'first', 'changed', 'fired']);
      expect(hooks.seen.length).toBe(1);
    },
  );

  test.each([
    [[], 'nothing to call'],
    [['--hook', 'http://x', '--exec', 'y'], '--exec takes the place'],
    [['--hook', 'http://x', '--if-changed'], '--if-changed goes with --once'],
    [['--host', 'github'], '--repo OWNER/NAME'],
    [['--host', 'github', '--repo', 'site'], '--repo is "site"'],
    [['--host', 'heroku'], '--host is "heroku": pass one of netlify, vercel, cloudflare, github'],
    [['--hook', 'http://x', '--every', '100ms'], '--every is "100ms": pass a time from 1s to 24d'],
    [['--hook', 'http://x', '--every', '30d'], '--every is "30d": pass a time from 1s to 24d'],
  ])('%j: one clear line and exit code 2', async (args, said) => {
    const { code, stdout, stderr } = await project.luid(['watch', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^luid watch: [^\n]+ \(see luid watch --help\)\n$/);
    expect(stderr).toContain(said);
  });

  test('a key that is wrong at the start: exit code 1, once and clear', async () => {
    const { code, stderr } = await project.luid(['watch', ...hook()], { LUID_API_KEY: 'wrong-one' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/luid watch: .*401.*\n {2}→ The key is missing or wrong: check LUID_API_KEY/);
    expect(stderr).not.toContain('wrong-one');
  });

  test('a hook that is no address, or a missing token: exit code 1', async () => {
    const noAddress = await project.luid(['watch', '--hook', 'secret-part']);
    expect([noAddress.code, noAddress.stderr]).toEqual([
      1,
      expect.stringContaining('The hook is not an http(s) URL'),
    ]);
    expect(noAddress.stderr).not.toContain('secret-part');
    const noToken = await project.luid(['watch', '--host', 'github', '--repo', 'me/site'], {
      GITHUB_TOKEN: '',
    });
    expect([noToken.code, noToken.stderr]).toEqual([1, expect.stringContaining('GITHUB_TOKEN')]);
  });
});
