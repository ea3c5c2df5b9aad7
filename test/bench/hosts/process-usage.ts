import { globSync, readFileSync } from 'node:fs';

export interface ProcessUsage {
  /** Milliseconds since the process was started. */
  readonly ms: number;
  /** Milliseconds of CPU time, user and system, of all its threads. */
  readonly cpu: number;
}

/** Of the clock in which Linux counts. */
const TICKS_PER_MS = 0.1;

/** What a server has used by now. Of wrangler, which starts Workers in workerd, it is the last workerd. */
export function usageOf(pid: number): ProcessUsage {
  const workers = childrenOf(pid)
    .map(readStat)
    .filter(({ name }) => name === 'workerd');
  const { startedAt, ticks } = workers.sort((a, b) => b.startedAt - a.startedAt)[0] ?? readStat(pid);
  const [uptime] = readFileSync('/proc/uptime', 'utf8').split(' ');
  return { ms: Number(uptime) * 1000 - startedAt / TICKS_PER_MS, cpu: ticks / TICKS_PER_MS };
}

function childrenOf(pid: number): number[] {
  return globSync(`/proc/${pid}/task/*/children`).flatMap((file) =>
    readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

/** `startedAt`: in ticks since the system was started. */
function readStat(pid: number): { name: string; ticks: number; startedAt: number } {
  const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const fields = rest.split(' ').map(Number);
  const [user = 0, system = 0] = fields.slice(11);
  return { name, ticks: user + system, startedAt: fields[19] ?? 0 };
}
