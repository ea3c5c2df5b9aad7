import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Line } from './loading.ts';
import type { World } from './world.ts';

const PROGRAM = fileURLToPath(new URL('child-main.ts', import.meta.url));

/** What a site in a process of its own is started with, as JSON. */
export interface ChildOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly dir: string;
  readonly concurrency: number;
  /** Which write to the cache it does not survive: it ends right before it, or right after it. */
  readonly diesAt?: Death | undefined;
}

export interface Death {
  readonly write: number;
  readonly isDone: boolean;
}

/** What it says of a load. */
export interface ChildAnswer {
  readonly error?: string;
  /** Astro's store. */
  readonly store: string;
  readonly lines: readonly Line[];
}

/** A site in a process of its own, ready to load; it shares the cache with all others in this world. */
export async function startChild(world: World, diesAt?: Death): Promise<ChildProcess> {
  const { baseUrl, key, dir, concurrency } = world;
  const options: ChildOptions = { baseUrl, key, dir, concurrency, diesAt };
  const child = fork(PROGRAM, [JSON.stringify(options)], { execArgv: [] });
  await heard(child);
  return child;
}

/** A load at this time. Rejects if the process ends before its answer. */
export function loadIn(child: ChildProcess, now: number): Promise<ChildAnswer> {
  const answer = heard(child) as Promise<ChildAnswer>;
  child.send(now);
  return answer;
}

function heard(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (_: unknown, signal: unknown) => reject(new Error(`The process was ended by ${signal}`));
    child.once('exit', onExit);
    child.once('message', (answer) => {
      child.off('exit', onExit);
      resolve(answer);
    });
  });
}
