import type { Loader } from 'astro/loaders';
import type { Corpus } from './corpus.ts';
import type { Service } from './service.ts';

/** A loader and the service that it loads from. Adding one is adding a file to loaders/ and naming it in `PEERS`. */
export interface Peer {
  /** The service with this content, in a process of its own. */
  serve(corpus: Corpus): Promise<Service>;
  /** The loader as its documentation sets it up for the best result, and the collection's schema. */
  open(url: string, key: string): Promise<{ loader: Loader; schema?: unknown }>;
  /** What the entry of an article is called. */
  id(n: number): string;
  /** Entries hold the author’s data. Without, this loader has no way to put them there. */
  readonly embeds: boolean;
  /** What a page reads of an entry. */
  read(data: never): Shown;
}

export interface Shown {
  readonly title: string;
  readonly body: string;
  readonly author?: string | undefined;
}

/** In the order in which they are shown. */
export const PEERS = [
  'astro-luid',
  'hand-written',
  'astro-loader-pocketbase',
  'strapi-community-astro-loader',
  'astro-loader-storyblok',
  'microcms-astro-loader',
] as const;

/** No loader that anybody would use: what the others can be measured by. */
export const LEAST = 'least';

export type PeerName = (typeof PEERS)[number] | typeof LEAST;

export async function peerOf(name: PeerName): Promise<Peer> {
  const { peer } = (await import(`./loaders/${name}.ts`)) as { peer: Peer };
  return peer;
}
