import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningEmulator } from '../../src/emulator/index.ts';
import { until } from '../support/until.ts';
import { FEATURES, type Feature, type HostProfile } from './features.ts';
import type { Host } from './hosts.ts';
import type { HostedServer } from './servers/server-process.ts';
import { PREVIEW_SECRET, REFRESH_SECRET } from './site/site-files.ts';

interface Refreshed {
  readonly changed: number;
  readonly tags: readonly string[];
  readonly invalidated?: false;
}

/** What the site does on every host, or does instead where a host cannot. */
export function describeHost(
  { name, cannot }: HostProfile,
  service: () => RunningEmulator,
  open: () => Host,
): void {
  describe(`on ${name}`, () => {
    let host: Host;
    let server: HostedServer;
    /** What the first request of a new server has shown. */
    let first: string;
    beforeAll(async () => {
      const { contents } = service();
      for (const id of [1, 2, 3]) contents.edit(id, { title: `Title ${id}` });
      contents.saveDraft(2, { title: 'Draft 2' });
      host = open();
      server = await host.start();
      first = await shown('/articles/3');
      await host.fill?.();
    });
    afterAll(() => server?.close());

    /** `instead`: what happens on hosts that cannot do it. */
    const feature = (key: Feature, works: () => Promise<void>, instead?: () => Promise<void>) => {
      const reason = cannot[key];
      if (reason === undefined) test(FEATURES[key], works);
      else if (instead) test(`cannot: ${FEATURES[key]}. ${reason}`, instead);
      else throw new Error(`${name} cannot do ${key}, and no test says what happens instead`);
    };
    const request = (path: string, init: RequestInit = {}) =>
      fetch(server.url + path, { redirect: 'manual', ...init });
    /** What a page shows. */
    const shown = async (path: string, init?: RequestInit) => {
      const response = await request(path, init);
      return /<b>(.*?)<\/b>/.exec(await response.text())?.[1] ?? String(response.status);
    };
    let visits = 0;
    /** A page that no cache has. */
    const uncached = (path: string) => `${path}?visit=${++visits}`;
    const isCached = async (path: string) => {
      const { headers } = await request(path);
      return ['x-astro-cache', 'x-cdn-cache'].some((header) => headers.get(header) === 'HIT');
    };
    const refresh = (secret = REFRESH_SECRET) =>
      request('/_luid/refresh', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-luid-secret': secret },
      });
    let edits = 0;
    const editAtService = (id: number) => {
      const title = `Edit ${++edits} of ${id}`;
      service().contents.edit(id, { title });
      return title;
    };
    const edit = async (id: number) => {
      const title = editAtService(id);
      await host.fill?.();
      return title;
    };
    /** Edits, and refreshes, until it is the refresh that finds the edit: a server may check just before it. */
    const editAndRefresh = (id: number) =>
      until(async () => {
        const title = await edit(id);
        const response = await refresh();
        const refreshed = (await response.json()) as Refreshed;
        return response.status === 200 && refreshed.changed === 1 && { ...refreshed, title };
      });
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

    feature('static', async () => {
      expect(await shown('/static/')).toBe('Title 1');
    });

    feature('images', async () => {
      const html = await (await request('/static/')).text();
      expect(html).toMatch(new RegExp(`src="${service().assetsUrl}[^"]*width=120`));
    });

    feature('service', async () => {
      expect(await shown('/fresh/3')).toBe('Title 3');
    });

    feature(
      'coldStart',
      async () => {
        expect(first).toBe('Title 3');
      },
      async () => {
        expect(first).toBe('503');
      },
    );

    feature('replica', async () => {
      expect(await shown('/articles/3')).toBe('Title 3');
      expect(await shown('/list')).toBe('Title 1, Title 2, Title 3');
    });

    feature('missing', async () => {
      expect(await shown('/articles/99')).toBe('404');
    });

    feature(
      'edit',
      async () => {
        await shown('/articles/1');
        const title = await edit(1);
        await expect.poll(() => shown('/articles/1')).toBe(title);
        await expect.poll(() => shown('/list')).toContain(title);
      },
      async () => {
        const before = await shown('/articles/1');
        await server.idle?.();
        const title = editAtService(1);
        expect(await shown('/articles/1')).toBe(before);
        await host.fill?.();
        const shownAfterAnother = async () => {
          await shown(uncached('/list'));
          return shown('/articles/1');
        };
        await expect.poll(shownAfterAnother).toBe(title);
      },
    );

    // Before any refresh: after an event, a server checks less often for a while.
    feature('frozen', async () => {
      await shown('/list');
      server.freeze?.();
      const title = await edit(3);
      // Longer than two intervals of 2 seconds: a process that is stopped has no other clock.
      await new Promise((resolve) => setTimeout(resolve, 5000));
      server.thaw?.();
      // Not from the cache of pages, which this process has not invalidated yet.
      expect(await shown(uncached('/list'))).toContain(title);
      await expect.poll(() => shown('/list')).toContain(title);
    });

    feature('refresh', async () => {
      const title = await edit(1);
      expect((await refresh('a wrong secret, but long')).status).toBe(401);
      expect((await refresh()).status).toBe(200);
      expect(await shown(uncached('/articles/1'))).toBe(title);
      expect(await shown(uncached('/list'))).toContain(title);
    });

    feature(
      'tags',
      async () => {
        const tagsOf = async (path: string) => {
          const { headers } = await request(uncached(path));
          return headers.get(host.tagHeader)?.split(',') ?? [];
        };
        const pages = await Promise.all(['/articles/1', '/list', '/articles/3'].map(tagsOf));
        const { tags } = await editAndRefresh(1);
        expect(pages.map((page) => page.some((tag) => tags.includes(tag)))).toEqual([true, true, false]);
      },
      async () => {
        const { headers } = await request('/articles/1');
        expect([...headers.keys()].filter((header) => /tag$/.test(header))).toEqual([]);
      },
    );

    feature(
      'purge',
      async () => {
        await until(() => isCached('/articles/1'));
        await until(() => isCached('/articles/3'));
        const { title } = await editAndRefresh(1);
        expect(await shown('/articles/1')).toBe(title);
        expect(await isCached('/articles/3')).toBe(true);
      },
      async () => {
        const { title, invalidated } = await editAndRefresh(1);
        expect(invalidated).toBe(false);
        expect(await isCached('/articles/1')).toBe(false);
        expect(await shown('/articles/1')).toBe(title);
      },
    );

    feature('preview', async () => {
      expect((await request('/_luid/preview?secret=wrong&to=/drafts/2')).status).toBe(401);
      expect(await shown('/drafts/2')).toBe('no draft');
      const { cookie, location } = await enter();
      expect(await shown(location, { headers: { cookie } })).toBe('Draft 2');
      const exit = await request('/_luid/preview-exit', { headers: { cookie } });
      expect([exit.status, exit.headers.getSetCookie().join()]).toEqual([
        303,
        expect.stringMatching(/Expires=Thu, 01 Jan 1970|Max-Age=0/i),
      ]);
    });

    feature(
      'events',
      async () => {
        const { cookie, location } = await enter();
        await shown(location, { headers: { cookie } });
        const leaving = new AbortController();
        const events = await request('/_luid/preview-events', {
          headers: { cookie },
          signal: leaving.signal,
        });
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
      },
      async () => {
        const { cookie, location } = await enter();
        expect((await request('/_luid/preview-events', { headers: { cookie } })).status).toBe(204);
        service().contents.saveDraft(2, { title: 'Draft 3' });
        await expect.poll(() => shown(location, { headers: { cookie } })).toBe('Draft 3');
      },
    );

    describe('without the service', () => {
      beforeAll(async () => {
        // What is stored has the latest edits.
        expect((await refresh()).status).toBe(200);
        service().faults.add({ kind: { status: 503 }, times: Number.POSITIVE_INFINITY });
        server = await host.restart(server);
      });
      afterAll(() => service().faults.clear());

      feature('stored', async () => {
        expect(await shown(uncached('/articles/2'))).toBe('Title 2');
      });

      feature(
        'outage',
        async () => {
          expect((await refresh()).status).toBe(502);
        },
        async () => {
          expect((await refresh()).status).toBe(200);
        },
      );
    });
  });
}
