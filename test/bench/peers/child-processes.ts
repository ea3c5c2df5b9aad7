import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Change } from './dataset.ts';
import type { LoadResult, LoadTask } from './load-child.ts';
import type { Counts, Service } from './mock-service.ts';
import type { PeerName } from './peer.ts';

/** A service in another process. */
export interface RemoteService {
  readonly url: string;
  setLatency(milliseconds: number): Promise<void>;
  change(change: Change): Promise<void>;
  failNext(status: number): Promise<void>;
  takeCounts(): Promise<Counts>;
  close(): void;
}

export async function startRemoteService(
  name: PeerName,
  size: number,
  authors?: number,
): Promise<RemoteService> {
  const child = startChild('service-child.ts', { name, size, authors }, 'inherit');
  const url = (await nextResult(child)) as string;
  const callService = async (method: keyof Service, value?: unknown) => {
    child.send({ method, value });
    return nextResult(child);
  };
  return {
    url,
    setLatency: async (milliseconds) => void (await callService('setLatency', milliseconds)),
    change: async (change) => void (await callService('change', change)),
    failNext: async (status) => void (await callService('failNext', status)),
    takeCounts: async () => (await callService('takeCounts')) as Counts,
    close: () => child.disconnect(),
  };
}

async function nextResult(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as [{ result?: unknown }];
  return message.result;
}

/** Runs a load in a new process. The output of the loader is not printed. */
export async function loadOnce(task: LoadTask): Promise<LoadResult> {
  const child = startChild('load-child.ts', task, 'ignore', task.heap);
  const loaded = new Promise<LoadResult>((resolve, reject) => {
    child.once('message', (message) => resolve(message as LoadResult));
    child.once('exit', (code) => reject(new Error(`The load of ${task.name} exited with code ${code}`)));
  });
  const exited = once(child, 'exit');
  const result = await loaded;
  await exited;
  return result;
}

function startChild(file: string, argument: object, output: 'inherit' | 'ignore', heap = 8192): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, [JSON.stringify(argument)], {
    execArgv: ['--expose-gc', `--max-old-space-size=${heap}`, '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', output, 'inherit', 'ipc'],
  });
}
