import type { Progress } from '../../replica/sync/progress.ts';
import { formatCount } from '../../shared/format-count.ts';
import { styled } from '../shared/output.ts';

export interface ProgressBar extends Progress {
  /** Erases the line until the next page arrives. */
  clear(): void;
}

const WIDTH = 28;
/** Milliseconds between two updates of the terminal. */
const REDRAW_INTERVAL = 50;

/** A progress bar on the last line of a terminal. */
export function createProgressBar(
  label: string,
  terminal: NodeJS.WriteStream = process.stderr,
  now: () => number = Date.now,
): ProgressBar {
  const models = new Map<string, { items: number; total: number }>();
  const start = now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    page(model, items, total) {
      models.set(model, { items, total });
      const isComplete = [...models.values()].every((one) => one.items >= one.total);
      if (!isComplete && now() - drawnAt < REDRAW_INTERVAL) return;
      drawnAt = now();
      terminal.write(
        `\r${formatLine(label, models.values(), (drawnAt - start) / 1000, terminal.columns)}\x1b[K`,
      );
    },
    clear() {
      if (Number.isFinite(drawnAt)) terminal.write('\r\x1b[K');
      drawnAt = Number.NEGATIVE_INFINITY;
    },
  };
}

function formatLine(
  label: string,
  models: Iterable<{ items: number; total: number }>,
  seconds: number,
  columns = 80,
): string {
  let [items, total] = [0, 0];
  for (const one of models) {
    items += Math.min(one.items, one.total);
    total += one.total;
  }
  const fraction = total === 0 ? 1 : items / total;
  const rate = items / Math.max(seconds, 0.1);
  const left = items < total ? `, ${Math.ceil((total - items) / Math.max(rate, 1))} s left` : '';
  const status = ` ${Math.floor(fraction * 100)} %  ${formatCount(items)} of ${formatCount(total)} items${left}`;
  const prefix = label ? `${label} ` : '';
  const barWidth = Math.max(0, Math.min(WIDTH, columns - prefix.length - status.length - 1));
  const filled = Math.round(fraction * barWidth);
  const bar = styled('cyan', '█'.repeat(filled)) + styled('dim', '░'.repeat(barWidth - filled));
  return `${prefix}${bar}${status.slice(0, Math.max(0, columns - prefix.length - barWidth - 1))}`;
}
