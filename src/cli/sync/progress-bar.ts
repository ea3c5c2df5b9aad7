import type { Progress } from '../../replica/sync/progress.ts';
import { styled } from '../shared/output.ts';

export interface Bar extends Progress {
  /** Takes the line away, until there is more to show. */
  clear(): void;
}

const WIDTH = 28;
/** A terminal shows no more than this many milliseconds apart; more would only cost. */
const EVERY = 50;
const number = new Intl.NumberFormat('en');

/** A progress bar in the last line of a terminal. */
export function createBar(
  label: string,
  terminal: NodeJS.WriteStream = process.stderr,
  now: () => number = Date.now,
): Bar {
  const models = new Map<string, { items: number; total: number }>();
  const start = now();
  let drawn = Number.NEGATIVE_INFINITY;
  return {
    page(model, items, total) {
      models.set(model, { items, total });
      const isWhole = [...models.values()].every((one) => one.items >= one.total);
      if (!isWhole && now() - drawn < EVERY) return;
      drawn = now();
      terminal.write(`\r${lineOf(label, models.values(), (drawn - start) / 1000, terminal.columns)}\x1b[K`);
    },
    clear() {
      if (Number.isFinite(drawn)) terminal.write('\r\x1b[K');
      drawn = Number.NEGATIVE_INFINITY;
    },
  };
}

function lineOf(
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
  const part = total === 0 ? 1 : items / total;
  const rate = items / Math.max(seconds, 0.1);
  const left = items < total ? `, ${Math.ceil((total - items) / Math.max(rate, 1))} s left` : '';
  const said = ` ${Math.floor(part * 100)} %  ${number.format(items)} of ${number.format(total)} items${left}`;
  const before = label ? `${label} ` : '';
  const room = Math.max(0, Math.min(WIDTH, columns - before.length - said.length - 1));
  const filled = Math.round(part * room);
  const bar = styled('cyan', '█'.repeat(filled)) + styled('dim', '░'.repeat(room - filled));
  return `${before}${bar}${said.slice(0, Math.max(0, columns - before.length - room - 1))}`;
}
