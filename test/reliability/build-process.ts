import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Line } from './load-collections.ts';
import type { TestSetup } from './test-setup.ts';

const PROGRAM = fileURLToPath(new URL('build-process-main.ts', import.meta.url));

/** The options of a build process, as JSON. */
export interface BuildProcessOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly dir: string;
  readonly concurrency: number;
  /** The write to the cache right before or after which it is killed. */
  readonly killAt?: KillPoint | undefined;
}

export interface KillPoint {
  readonly write: number;
  readonly isDone: boolean;
}

/** What the process sends after a load. */
export interface LoadResult {
  readonly error?: string;
  /** Astro's store. */
  readonly store: string;
  readonly lines: readonly Line[];
}

/** Starts a site in a process of its own. All processes of a setup share its cache. */
export async function startBuildProcess(setup: TestSetup, killAt?: KillPoint): Promise<ChildProcess> {
  const { baseUrl, key, dir, concurrency } = setup;
  const options: BuildProcessOptions = { baseUrl, key, dir, concurrency, killAt };
  const child = fork(PROGRAM, [JSON.stringify(options)], { execArgv: [] });
  await nextMessage(child);
  return child;
}

/** Loads at this time. Rejects if the process ends before its result. */
export function loadInProcess(child: ChildProcess, now: number): Promise<LoadResult> {
  const result = nextMessage(child) as Promise<LoadResult>;
  child.send(now);
  return result;
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (_: unknown, signal: unknown) => reject(new Error(`The process was ended by ${signal}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message);
    });
  });
}
