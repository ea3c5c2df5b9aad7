import type { Loader } from 'astro/loaders';
import type { Dataset } from './dataset.ts';
import type { Service } from './mock-service.ts';

/** A loader and its service. To add one, add a file to loaders/ and its name to `PEERS`. */
export interface Peer {
  /** Starts the service with this content. */
  serve(dataset: Dataset): Promise<Service>;
  /** The loader, configured as its documentation recommends for the best result, and the collection's schema. */
  open(url: string, key: string): Promise<{ loader: Loader; schema?: unknown }>;
  /** The id of the entry of an article. */
  id(n: number): string;
  /** Whether the loader can embed the author's data in entries. */
  readonly embeds: boolean;
  /** The values of an entry that are compared. */
  read(data: never): EntryValues;
}

export interface EntryValues {
  readonly title: string;
  readonly body: string;
  readonly author?: string | undefined;
}

/** In the order of the tables. */
export const PEERS = [
  'astro-luid',
  'hand-written',
  'astro-loader-pocketbase',
  'strapi-community-astro-loader',
  'astro-loader-storyblok',
  'microcms-astro-loader',
] as const;

/** A lower bound for the others, not for real use. */
export const PLAIN_FETCH = 'plain-fetch';

export type PeerName = (typeof PEERS)[number] | typeof PLAIN_FETCH;

export async function importPeer(name: PeerName): Promise<Peer> {
  const { peer } = (await import(`./loaders/${name}.ts`)) as { peer: Peer };
  return peer;
}
