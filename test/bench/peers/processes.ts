import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Change } from './corpus.ts';
import type { Loaded, LoadOrder } from './load-child.ts';
import type { PeerName } from './peer.ts';
import type { Counts, Service } from './service.ts';

/** A service in another process. */
export interface RemoteService {
  readonly url: string;
  setLatency(milliseconds: number): Promise<void>;
  change(change: Change): Promise<void>;
  failNext(status: number): Promise<void>;
  takeCounts(): Promise<Counts>;
  close(): void;
}

export async function startRemoteService(name: PeerName, size: number): Promise<RemoteService> {
  const child = start('service-child.ts', { name, size }, 'inherit');
  const url = (await answerOf(child)) as string;
  const ask = async (call: keyof Service, value?: unknown) => {
    child.send({ call, value });
    return answerOf(child);
  };
  return {
    url,
    setLatency: async (milliseconds) => void (await ask('setLatency', milliseconds)),
    change: async (change) => void (await ask('change', change)),
    failNext: async (status) => void (await ask('failNext', status)),
    takeCounts: async () => (await ask('takeCounts')) as Counts,
    close: () => child.disconnect(),
  };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as [{ answer?: unknown }];
  return message.answer;
}

/** Loads once, in a process of its own. What the loader prints is not shown. */
export async function loadOnce(order: LoadOrder): Promise<Loaded> {
  const child = start('load-child.ts', order, 'ignore');
  const loaded = new Promise<Loaded>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Loaded));
    child.once('exit', (code) => reject(new Error(`The load of ${order.name} ended with ${code}`)));
  });
  const exited = once(child, 'exit');
  const result = await loaded;
  await exited;
  return result;
}

function start(file: string, argument: object, output: 'inherit' | 'ignore'): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, [JSON.stringify(argument)], {
    execArgv: ['--expose-gc', '--max-old-space-size=8192', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', output, 'inherit', 'ipc'],
  });
}
