import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../../hosts/hosts.ts';
import type { HostedServer } from '../../hosts/servers/server-process.ts';
import type { Starts } from './hosts-results.ts';
import { usageOf } from './process-usage.ts';

/** Starts the site `rounds` times with nothing stored, and each time once more with what is stored by then. */
export async function measureStarts(host: Host, rounds: number): Promise<Starts> {
  const starts = { nothing: [], everything: [] } as { -readonly [K in keyof Starts]: Starts[K][number][] };
  for (let round = 0; round < rounds; round++) {
    let server = await host.start();
    await measureFirstPage(server, starts.nothing);
    await host.fill?.();
    // The first start may still store what it has read.
    await sleep(1000);
    await server.idle?.();
    server = await host.restart(server);
    await measureFirstPage(server, starts.everything);
    await server.close();
  }
  return starts;
}

/** A host that cannot serve the page has no figures. */
async function measureFirstPage(
  server: HostedServer,
  figures: { push(usage: Starts['nothing'][number]): unknown },
): Promise<void> {
  const start = performance.now();
  const response = await fetch(`${server.url}/articles/3`);
  const html = await response.text();
  const usage = { ...usageOf(server.pid), request: performance.now() - start };
  if (response.status !== 503 && !/<b>.+<\/b>/.test(html)) throw new Error(`${response.status}: ${html}`);
  if (response.ok) figures.push(usage);
}
