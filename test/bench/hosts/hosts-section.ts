import { describeMachine } from '../machine.ts';
import { median } from '../targets/target.ts';
import { type FirstPage, type HostsResults, REFRESH_SECONDS } from './hosts-results.ts';
import { freshnessTable, kilobytes, seconds, tableOf } from './hosts-tables.ts';

/** What this package may add to a Worker. */
const WORKER_LIMIT = 150_000;

/** The part of RESULTS.md about hosts. */
export function hostsSection({ machine, load, items, hosts, worker }: HostsResults): string {
  const [first] = hosts;
  const counts = first && Object.values(first.freshness).map((values) => values.length);
  const [webhooks, crons, polls, pauses] = counts ?? [];
  const added = worker.site - worker.plain;
  return `## Hosts

The site of the host tests, built for each host, with ${items} items in the space. Servers, workerd, storages of hosts, visitors
and the service, which is the emulator without latency, share one machine: nothing here contains the time of a network.
${describeMachine(machine)} Its average load
was up to ${load.toFixed(1)}, this benchmark included. Above the number of cores, times contain waiting for a core; CPU times do not.

### Cold start

Time and CPU time from the start of the process until it has sent the first page from the copy of the content: the middle of
${first?.starts.everything.length}. The site without this package requests the item of the page from the service. The process of a Worker is workerd, with what
\`wrangler\` adds to it; a Worker does not read all content, so it needs what is stored.

${tableOf(hosts, [
  ['without this package', ...hosts.map(({ plainStarts }) => firstPage(plainStarts.everything))],
  ['everything stored', ...hosts.map(({ starts }) => firstPage(starts.everything))],
  ['nothing stored', ...hosts.map(({ starts }) => firstPage(starts.nothing))],
])}

### Size of the server

The modules of the built server and of the packages that it imports, not minified, with gzip. The same site without this
package has its own loaders, no previews and no revalidation. The storage counts as part of this package: on Vercel, its driver
imports \`ofetch\`, which the adapter of Netlify imports anyway.

${tableOf(hosts, [
  ['with this package', ...hosts.map(({ size }) => kilobytes(size.site))],
  ['without', ...hosts.map(({ size }) => kilobytes(size.plain))],
  ['difference', ...hosts.map(({ size }) => kilobytes(size.site - size.plain))],
])}

What \`wrangler deploy --dry-run\` reports for the Worker: ${kilobytes(worker.site)}, and ${kilobytes(worker.plain)} without this package. It adds
${kilobytes(added)}; the target is at most ${kilobytes(WORKER_LIMIT)}: ${added <= WORKER_LIMIT ? 'met' : '**missed**'}.

### Freshness

Time from a publish until a visitor sees it: median and worst of ${webhooks} publishes with a webhook, ${crons} with a cron job and ${polls} with
checks, spread evenly over the interval. Visitors request the page every 20 ms. It is cached for a day, by the server or by a CDN in front
of it, except in \`wrangler\`. With checks, visitors also request a page that no cache has, because a page of a CDN wakes no
function. After a pause of ${2.2 * REFRESH_SECONDS} s without requests, the time is that from the first request for such a page (${pauses} pauses).

${freshnessTable(hosts)}

- **Webhook, cron job**: the server itself checks once per hour here, so that nothing else finds the change. With any interval of
  the cron job, the worst case is the interval and the time of a webhook.
- **Checks**: the worst case is \`refresh\`, ${REFRESH_SECONDS} s by default, and the time of one check.
- **Cloudflare Workers**: what receives the webhook, or the cron job, runs \`luid sync\`, then calls \`/_luid/refresh\`. With checks,
  \`luid sync\` runs after each publish. Not contained: the start of a workflow that runs it, and up to a minute until Workers KV shows
  the change everywhere.
`;
}

function firstPage(pages: readonly FirstPage[]): string {
  if (pages.length === 0) return '–';
  const middle = (key: keyof FirstPage) => seconds(median(pages.map((page) => page[key])));
  return `${middle('ms')} s, CPU ${middle('cpu')} s`;
}
