import { formatCount } from '../../shared/format-count.ts';
import type { Logger } from '../../shared/logger.ts';
import type { RequestCounts } from '../read/request-stats.ts';

export interface Progress {
  /** Reports how many items of a model have been read so far, and its total. */
  page(model: string, items: number, total: number): void;
}

const INTERVAL = 3_000;

/** Lines about a long read, every few seconds: items, percent, rate and time left. */
export function createProgress(logger: Logger, now: () => number): Progress {
  const models = new Map<string, { items: number; total: number }>();
  const start = now();
  let loggedAt = start;
  return {
    page(model, items, total) {
      models.set(model, { items, total });
      const time = now();
      if (time - loggedAt < INTERVAL) return;
      loggedAt = time;
      const sums = [...models.values()].reduce(
        (sum, one) => ({ items: sum.items + one.items, total: sum.total + one.total }),
        { items: 0, total: 0 },
      );
      const rate = sums.items / ((time - start) / 1000);
      const left = Math.ceil((sums.total - sums.items) / Math.max(rate, 1));
      const percent = Math.floor((100 * sums.items) / Math.max(1, sums.total));
      logger.info(
        `${formatCount(sums.items)} of ${formatCount(sums.total)} items (${percent} %), ` +
          `${formatCount(Math.round(rate))} per second, about ${left} s left`,
      );
    },
  };
}

export interface Summary extends RequestCounts {
  readonly items: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

export function summaryLine(summary: Summary): string {
  const { items, added, changed, removed, requests, cached, retries, waited } = summary;
  const changes = [
    added > 0 && `${formatCount(added)} added`,
    changed > 0 && `${formatCount(changed)} changed`,
    removed > 0 && `${formatCount(removed)} removed`,
  ].filter(Boolean);
  const what = changes.join(', ') || 'none changed';
  const trouble = [
    retries > 0 && `, ${formatCount(retries)} ${retries === 1 ? 'retry' : 'retries'}`,
    waited > 0 && `, ${(waited / 1000).toFixed(1)} s waited`,
  ].filter(Boolean);
  return (
    `${formatCount(items)} ${items === 1 ? 'item' : 'items'}, ${what}; ` +
    `${formatCount(requests)} ${requests === 1 ? 'request' : 'requests'} ` +
    `(${formatCount(cached)} from the CDN)${trouble.join('')}`
  );
}
