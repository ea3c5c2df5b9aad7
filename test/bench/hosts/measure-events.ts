import { setTimeout as sleep } from 'node:timers/promises';
import { runtimeHost } from '../../hosts/hosts.ts';
import type { HostedServer } from '../../hosts/servers/server-process.ts';
import type { BuiltSites } from '../../hosts/site/built-sites.ts';
import { REFRESH_SECRET } from '../../hosts/site/site-files.ts';
import { titleOf } from '../text.ts';

/** What events of a large space cost. */
export interface EventFigures {
  /** Of each publish: milliseconds until its page shows it, and requests that count against the rate limit. */
  readonly publishes: readonly { readonly ms: number; readonly counted: number }[];
  /** Events that announce nothing, sent as fast as the server answers. */
  readonly flood: { readonly seconds: number; readonly events: number; readonly checks: number };
}

const HEADERS = { 'content-type': 'application/json', 'x-luid-secret': REFRESH_SECRET };
const ARTICLE = 3;
const FLOOD_SECONDS = 10;
/** Of the event loop, about 600 per second. */
const EVENTS_PER_TURN = 2;

/** On a server of Node that only checks after events, and keeps pages for a day. */
export async function measureEvents(built: BuiltSites, publishes: number): Promise<EventFigures> {
  const { service } = built;
  const environment = { ...built.environment, LUID_SITE_REFRESH: '1h' };
  const server = await runtimeHost({ ...built, environment }, process.execPath).start();
  try {
    await untilShown(server, titleOf(ARTICLE));
    service.webhooks.set([{ url: `${server.url}/_luid/refresh`, headers: HEADERS }]);
    const measured: { ms: number; counted: number }[] = [];
    for (let edit = 1; edit <= publishes; edit++) {
      // There is at most one check per second in a flood.
      await sleep(1500);
      const title = `${titleOf(ARTICLE)}（${edit}版）`;
      service.clearLog();
      const start = performance.now();
      service.contents.edit(ARTICLE, { title });
      await untilShown(server, title);
      const ms = performance.now() - start;
      await sleep(500);
      measured.push({ ms, counted: service.log.filter(({ counted }) => counted).length });
    }
    service.webhooks.set([]);
    await sleep(6000);
    return { publishes: measured, flood: await flood(server, service) };
  } finally {
    await server.close();
  }
}

async function flood({ url }: HostedServer, service: BuiltSites['service']): Promise<EventFigures['flood']> {
  service.clearLog();
  const end = performance.now() + FLOOD_SECONDS * 1000;
  let events = 0;
  while (performance.now() < end) {
    for (let n = 0; n < EVENTS_PER_TURN; n++, events++) {
      // The response comes with the next check: nobody waits for it.
      void fetch(`${url}/_luid/refresh`, { method: 'POST', headers: HEADERS }).then(
        (response) => response.body?.cancel(),
        () => {},
      );
    }
    await sleep(1);
  }
  const checks = service.log.filter(({ query }) => query.includes('order=-_updated_at')).length;
  return { seconds: FLOOD_SECONDS, events, checks };
}

async function untilShown({ url }: HostedServer, title: string): Promise<void> {
  const end = performance.now() + 60_000;
  for (;;) {
    const response = await fetch(`${url}/articles/${ARTICLE}`);
    if ((await response.text()).includes(`<b>${title}</b>`)) return;
    if (performance.now() > end) throw new Error(`${title} is not shown after a minute`);
    await sleep(10);
  }
}
