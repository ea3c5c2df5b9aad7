import { formatCount, limitList, pluralize } from '../../shared/format-count.ts';
import type { Logger } from '../../shared/logger.ts';

const PROGRESS_INTERVAL = 3_000;
const MAX_LISTED_FAILURES = 5;

/** The log lines about one kind of fact. Whole, so that a search for a message finds it. */
export interface FactMessages {
  /** `dimensions`, `placeholders`: what is read. */
  readonly plural: string;
  /** What images are missing that could not be read, after `2 images have`. */
  readonly missing: string;
  readonly cannotLoad: string;
  readonly cannotStore: string;
}

/** Logs a line every few seconds. Call it once per image, with the current time. */
export function createProgress(
  { plural }: FactMessages,
  total: number,
  logger: Logger,
): (now: number) => void {
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
export function failureWarning({ missing }: FactMessages, failures: ReadonlyMap<string, string>): string {
  const lines = [...failures].map(([url, reason]) => `${url} ${reason}`).sort();
  return [
    `${pluralize(failures.size, 'image has', 'images have')} ${missing}:`,
    ...limitList(lines, MAX_LISTED_FAILURES),
  ].join('\n  ');
}
