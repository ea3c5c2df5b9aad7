/** A service in a process of its own, so that what is measured is the loader alone. Does what it is sent. */
import { createCorpus } from './corpus.ts';
import { type PeerName, peerOf } from './peer.ts';
import type { Service } from './service.ts';

const { name, size } = JSON.parse(process.argv[2] ?? '{}') as { name: PeerName; size: number };
const peer = await peerOf(name);
const service = await peer.serve(createCorpus(size));

export interface Order {
  readonly call: Exclude<keyof Service, 'url'>;
  readonly value?: unknown;
}

process.on('message', ({ call, value }: Order) => {
  process.send?.({ answer: service[call](value as never) });
});
process.on('disconnect', () => process.exit());
process.send?.({ answer: service.url });
