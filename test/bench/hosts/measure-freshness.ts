import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningEmulator } from '../../../src/emulator/index.ts';
import type { Host } from '../../hosts/hosts.ts';
import type { HostedServer } from '../../hosts/servers/server-process.ts';
import type { BuiltSites } from '../../hosts/site/built-sites.ts';
import { REFRESH_SECRET } from '../../hosts/site/site-files.ts';
import { titleOf } from '../text.ts';
import { CRON_SECONDS, type Freshness, REFRESH_SECONDS } from './hosts-results.ts';

export interface Publishes {
  readonly webhook: number;
  readonly cron: number;
  readonly polling: number;
  readonly afterPause: number;
}

const HEADERS = { 'content-type': 'application/json', 'x-luid-secret': REFRESH_SECRET };
/** Between two requests of a visitor. */
const GAP = 20;
const ARTICLE = 3;
const CACHED_PAGE = `/articles/${ARTICLE}`;

/** Seconds from a publish until a visitor sees it, by each way in which a server is told, or finds it. */
export async function measureFreshness(
  built: BuiltSites,
  open: (built: BuiltSites) => Host,
  publishes: Publishes,
): Promise<Freshness> {
  const openWith = (refresh: string) =>
    open({ ...built, environment: { ...built.environment, LUID_SITE_REFRESH: refresh } });
  // Only events find a change before the next check.
  const announced = await HostedSite.start(openWith('1h'), built.service);
  const webhook = await announced.afterWebhooks(publishes.webhook);
  const cron = await announced.withCron(publishes.cron);
  await announced.close();
  const polled = await HostedSite.start(openWith(`${REFRESH_SECONDS}s`), built.service);
  const polling = await polled.withPolling(publishes.polling);
  const afterPause = await polled.afterPauses(publishes.afterPause);
  await polled.close();
  return { webhook, cron, polling, afterPause };
}

/** A server of the site, its visitors, and the service. */
class HostedSite {
  readonly #host: Host;
  readonly #server: HostedServer;
  readonly #service: RunningEmulator;
  #edits = 0;
  #visits = 0;

  private constructor(host: Host, server: HostedServer, service: RunningEmulator) {
    this.#host = host;
    this.#server = server;
    this.#service = service;
  }

  static async start(host: Host, service: RunningEmulator): Promise<HostedSite> {
    const site = new HostedSite(host, await host.start(), service);
    await host.fill?.();
    await site.#timeUntilShown(titleOf(ARTICLE));
    return site;
  }

  close(): Promise<void> {
    this.#service.contents.edit(ARTICLE, { title: titleOf(ARTICLE) });
    return this.#server.close();
  }

  /** The service sends webhooks. Where a server only reads what is stored, what receives the webhook stores it first. */
  async afterWebhooks(count: number): Promise<number[]> {
    const { webhooks } = this.#service;
    const { url } = this.#server;
    if (!this.#host.fill) webhooks.set([{ url: `${url}/_luid/refresh`, headers: HEADERS }]);
    const seconds = await repeat(count, async () => {
      // There is at most one check per second.
      await sleep(1500);
      const title = this.#publish();
      const refreshed = this.#host.fill && this.#refresh();
      const time = await this.#timeUntilShown(title);
      await refreshed;
      return time;
    });
    webhooks.set([]);
    return seconds;
  }

  /** Publishes are spread over the interval. */
  async withCron(count: number): Promise<number[]> {
    const stopped = new AbortController();
    const cron = (async () => {
      while (!stopped.signal.aborted) await Promise.all([this.#refresh(), sleep(CRON_SECONDS * 1000)]);
    })();
    // A request that finds nothing is followed by more checks for 5 s, which end when they find this.
    await this.#timeUntilShown(this.#publish());
    const seconds = await repeat(count, async (n) => {
      await sleep(((n + 0.5) / count) * CRON_SECONDS * 1000);
      return this.#timeUntilShown(this.#publish());
    });
    stopped.abort();
    await cron;
    return seconds;
  }

  /** The same with the periodic checks of the server. Visitors request pages that are rendered for them, too. */
  async withPolling(count: number): Promise<number[]> {
    return repeat(count, async (n) => {
      await this.#visitFor(((n + 0.5) / count) * REFRESH_SECONDS * 1000);
      const title = this.#publish();
      const filled = this.#host.fill?.();
      const time = await this.#timeUntilShown(title, () => this.#visitAnother());
      await filled;
      return time;
    });
  }

  /** Nobody requests anything for more than two intervals. The time is that from the first request. */
  async afterPauses(count: number): Promise<number[]> {
    return repeat(count, async () => {
      await this.#visitFor(500);
      await this.#server.idle?.();
      const title = this.#publish();
      await this.#host.fill?.();
      await sleep(2.2 * REFRESH_SECONDS * 1000);
      return this.#timeUntilShown(title, undefined, () => `${CACHED_PAGE}?visit=${++this.#visits}`);
    });
  }

  #publish(): string {
    const title = `${titleOf(ARTICLE)}（${++this.#edits}版）`;
    this.#service.contents.edit(ARTICLE, { title });
    return title;
  }

  async #refresh(): Promise<void> {
    await this.#host.fill?.();
    const response = await fetch(`${this.#server.url}/_luid/refresh`, { method: 'POST', headers: HEADERS });
    if (!response.ok) throw new Error(`The refresh failed: ${response.status} ${await response.text()}`);
  }

  /** Seconds. */
  async #timeUntilShown(
    title: string,
    meanwhile: () => Promise<unknown> = async () => {},
    path: () => string = () => CACHED_PAGE,
  ): Promise<number> {
    const start = performance.now();
    while (!(await this.#read(path())).includes(`<b>${title}</b>`)) {
      if (performance.now() - start > 60_000) throw new Error(`${title} is not shown after a minute`);
      await sleep(GAP);
      await meanwhile();
    }
    return (performance.now() - start) / 1000;
  }

  async #visitFor(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (performance.now() < end) {
      await this.#visitAnother();
      await sleep(GAP);
    }
  }

  /** A page that no cache has. */
  #visitAnother(): Promise<string> {
    return this.#read(`/articles/1?visit=${++this.#visits}`);
  }

  async #read(path: string): Promise<string> {
    const response = await fetch(this.#server.url + path);
    return response.text();
  }
}

async function repeat(count: number, measure: (n: number) => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let n = 0; n < count; n++) values.push(await measure(n));
  return values;
}
