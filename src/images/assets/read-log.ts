import { formatCount, limitList, pluralize } from '../../format-count.ts';
import type { Logger } from '../../logger.ts';

const PROGRESS_INTERVAL = 3_000;
const MAX_LISTED_FAILURES = 5;

/** What is read of assets, in log lines: `the dimensions`, `no dimensions`, `Image dimensions`. */
export interface FactNames {
  /** `dimensions`, `placeholders`. */
  readonly plural: string;
  /** What one image does not have: `dimensions`, `placeholder`. */
  readonly missing: string;
}

/** Logs a line every few seconds. Call it once per image, with the current time. */
export function createProgress({ plural }: FactNames, total: number, logger: Logger): (now: number) => void {
  let done = 0;
  let loggedAt: number | undefined;
  return (now) => {
    done += 1;
    loggedAt ??= now;
    if (now - loggedAt < PROGRESS_INTERVAL || done === total) return;
    loggedAt = now;
    const percent = Math.floor((100 * done) / total);
    logger.info(`Read the ${plural} of ${formatCount(done)} of ${formatCount(total)} images (${percent} %)`);
  };
}

/** The warning about images that could not be read. `failures`: URL → reason. */
export function failureWarning({ missing }: FactNames, failures: ReadonlyMap<string, string>): string {
  const lines = [...failures].map(([url, reason]) => `${url} ${reason}`).sort();
  return [
    `${pluralize(failures.size, 'image has', 'images have')} no ${missing}; the next build retries those that could not be reached:`,
    ...limitList(lines, MAX_LISTED_FAILURES),
  ].join('\n  ');
}
