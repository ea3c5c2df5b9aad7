/** Runs a service in a separate process, so that only the loader is measured. Methods are called by messages. */
import { createDataset } from './dataset.ts';
import type { Service } from './mock-service.ts';
import { importPeer, type PeerName } from './peer.ts';

interface ServiceTask {
  readonly name: PeerName;
  readonly size: number;
  readonly authors?: number;
}

const { name, size, authors } = JSON.parse(process.argv[2] ?? '{}') as ServiceTask;
const peer = await importPeer(name);
const service = await peer.serve(createDataset(size, authors));

export interface ServiceCall {
  readonly method: Exclude<keyof Service, 'url'>;
  readonly value?: unknown;
}

process.on('message', ({ method, value }: ServiceCall) => {
  process.send?.({ result: service[method](value as never) });
});
process.on('disconnect', () => process.exit());
process.send?.({ result: service.url });
