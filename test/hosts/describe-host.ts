import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningEmulator } from '../../src/emulator/index.ts';
import type { HostedServer } from './server-process.ts';
import { PREVIEW_SECRET, REFRESH_SECRET } from './site-files.ts';

/** A host, as its own runtime or the handler of its adapter serves the built site. */
interface Host {
  readonly service: () => RunningEmulator;
  /** Starts with nothing stored, unless it is told to keep what an earlier server has stored. */
  readonly start: (options?: { readonly keepsCache?: boolean }) => Promise<HostedServer>;
}

/** What the site does on every host. */
export function describeHost(name: string, { service, start }: Host): void {
  describe(`on ${name}`, () => {
    let server: HostedServer;
    beforeAll(async () => {
      const { contents } = service();
      for (const id of [1, 2, 3]) contents.edit(id, { title: `Title ${id}` });
      contents.saveDraft(2, { title: 'Draft 2' });
      server = await start();
    });
    afterAll(() => server?.close());

    const request = (path: string, init: RequestInit = {}) =>
      fetch(server.url + path, { redirect: 'manual', ...init });
    /** What a page shows. */
    const shown = async (path: string, init?: RequestInit) => {
      const response = await request(path, init);
      return /<b>(.*?)<\/b>/.exec(await response.text())?.[1] ?? String(response.status);
    };
    const refresh = (secret = REFRESH_SECRET) =>
      request('/_luid/refresh', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-luid-secret': secret },
      });
    let edits = 0;
    const edit = (id: number) => {
      const title = `Edit ${++edits} of ${id}`;
      service().contents.edit(id, { title });
      return title;
    };
    const enter = async () => {
      const entered = await request(
        `/_luid/preview?secret=${encodeURIComponent(PREVIEW_SECRET)}&to=/drafts/2`,
      );
      expect(entered.status).toBe(303);
      const cookie = entered.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
      return { cookie, location: entered.headers.get('location') as string };
    };

    test('a prerendered page shows content of the build, and an image of the CDN', async () => {
      const html = await (await request('/static/')).text();
      expect(html).toContain('<b>Title 1</b>');
      expect(html).toMatch(new RegExp(`src="${service().assetsUrl}[^"]*width=120`));
    });

    test('a live page shows content, an unknown one is not found', async () => {
      expect(await shown('/articles/3')).toBe('Title 3');
      expect(await shown('/list')).toContain('Title 3');
      expect(await shown('/articles/99')).toBe('404');
      expect(await shown('/fresh/3')).toBe('Title 3');
    });

    test('a page that is cached is rendered again after an edit, without a refresh', async () => {
      await shown('/articles/1');
      const title = edit(1);
      await expect.poll(() => shown('/articles/1')).toBe(title);
      await expect.poll(() => shown('/list')).toContain(title);
    });

    test('a refresh needs its secret, and then pages show the edit at once', async () => {
      await shown('/articles/1');
      const title = edit(1);
      expect((await refresh('a wrong secret, but long')).status).toBe(401);
      const response = await refresh();
      const { changed, tags } = (await response.json()) as { changed: number; tags: string[] };
      expect([response.status, changed, tags.length > 0]).toEqual([200, 1, true]);
      expect(await shown('/articles/1')).toBe(title);
      expect(await shown('/list')).toContain(title);
    });

    test('a preview shows the draft, reports its changes, and ends', async () => {
      expect((await request('/_luid/preview?secret=wrong&to=/drafts/2')).status).toBe(401);
      expect(await shown('/drafts/2')).toBe('no draft');
      const { cookie, location } = await enter();
      expect(await shown(location, { headers: { cookie } })).toBe('Draft 2');
      const leaving = new AbortController();
      const events = await request('/_luid/preview-events', { headers: { cookie }, signal: leaving.signal });
      expect(events.headers.get('content-type')).toBe('text/event-stream');
      const reader = (events.body as ReadableStream<Uint8Array>).getReader();
      let received = '';
      const reading = (async () => {
        while (!received.includes('event: change')) {
          received += new TextDecoder().decode((await reader.read()).value);
        }
      })();
      service().contents.saveDraft(2, { title: 'Draft 3' });
      await reading;
      leaving.abort();
      expect(await shown(location, { headers: { cookie } })).toBe('Draft 3');
      const exit = await request('/_luid/preview-exit', { headers: { cookie } });
      expect([exit.status, exit.headers.getSetCookie().join()]).toEqual([
        303,
        expect.stringMatching(/Expires=Thu, 01 Jan 1970|Max-Age=0/i),
      ]);
    });

    test('a process that was frozen checks before it serves', async () => {
      await shown('/list');
      server.freeze();
      const title = edit(3);
      // Longer than two intervals of 2 seconds: a process that is stopped has no other clock.
      await new Promise((resolve) => setTimeout(resolve, 5000));
      server.thaw();
      // Not from the cache of pages, which this process has not invalidated yet.
      expect(await shown('/list?after=thawing')).toContain(title);
      await expect.poll(() => shown('/list')).toContain(title);
    });

    test('while the service is down, a new process serves what is stored', async () => {
      await server.close();
      service().faults.add({ kind: { status: 503 }, times: Number.POSITIVE_INFINITY });
      try {
        server = await start({ keepsCache: true });
        expect(await shown('/articles/2')).toBe('Title 2');
        expect((await refresh()).status).toBe(502);
      } finally {
        service().faults.clear();
      }
    });
  });
}
