import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from '../../src/client/http/connection.ts';
import type { WireContent } from '../../src/contract/content.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/index.ts';
import { field } from '../../src/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { openReplica, type ReplicaOptions } from '../../src/replica/open-replica.ts';
import type { Replica } from '../../src/replica/replica.ts';

export const MODELS = {
  author: { name: field.text({ title: true }), portrait: field.media() },
  article: {
    title: field.text({ title: true }),
    body: field.flexibleText(),
    cover: field.media(),
    author: field.reference('author'),
    related: field.repeat({ article: field.reference('article') }),
  },
  page: {
    title: field.text({ title: true }),
    article: field.reference(),
    blocks: field.combination({ link: { to: field.reference('page') } }),
  },
  event: { title: field.text({ title: true }), starts_at: field.datetime() },
};

const START = Date.UTC(2026, 0, 1);
let spaces = 0;

/** The seed of a space with this many items in four models, created a second apart. */
export function seedOf(count: number, models: ModelMap = MODELS) {
  const names = Object.keys(models);
  return {
    languages: { main: 'ja', sub: ['en'] },
    keys: [
      { key: 'published', reads: 'published' },
      { key: 'drafts', reads: 'drafts' },
    ],
    models,
    media: [{ id: 9_000_001, file: 'a.jpg', alt: { ja: 'A' } }],
    contents: Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      model: names[index % names.length],
      created_at: new Date(START + index * 1000).toISOString(),
      published: {
        ja: { [names[index % names.length] === 'author' ? 'name' : 'title']: `item ${index + 1}` },
      },
    })),
  };
}

export interface EmulatedSpace {
  readonly service: Emulator;
  readonly dir: string;
  readonly warnings: string[];
  readonly infos: string[];
  sync(
    options?: Partial<ReplicaOptions> & {
      apiKey?: string;
      fetch?: typeof fetch;
      concurrency?: number | undefined;
      /** Milliseconds that the clock here is ahead of the service's. */
      skew?: number;
    },
  ): Promise<Replica>;
  /** The requests of a sync that reached the emulator, and of these those that counted. */
  counted<T>(work: () => Promise<T>): Promise<{ result: T; requests: number; counted: number }>;
}

export function openEmulatedSpace(seed: unknown, options: EmulatorOptions = {}): EmulatedSpace {
  return emulatedSpaceOf(
    createEmulator(seed, { origin: `http://replica-${++spaces}.test`, rateLimit: false, ...options }),
  );
}

/** The same with an existing emulator, such as one that listens. */
export function emulatedSpaceOf<E extends Emulator>(service: E): EmulatedSpace & { readonly service: E } {
  service.clock.set(START + 400 * 24 * 3600 * 1000);
  const dir = mkdtempSync(join(tmpdir(), 'astro-luid-replica-'));
  const warnings: string[] = [];
  const infos: string[] = [];
  return {
    service,
    dir,
    warnings,
    infos,
    sync({ apiKey = 'published', fetch = service.fetch, concurrency, skew = 0, ...rest } = {}) {
      const found = createConnection({
        baseUrl: service.baseUrl,
        apiKey,
        fetch,
        clock: { now: () => service.clock.now() + skew, sleep: () => new Promise(() => {}) },
        network: { requestsPerMinute: Number.POSITIVE_INFINITY, retries: 0, concurrency },
      });
      return openReplica({
        connect: async () => found,
        models: service.models.get(),
        cache: {},
        cacheDir: dir,
        maxAge: 24 * 3600 * 1000,
        logger: { info: (line) => infos.push(line), warn: (line) => warnings.push(line) },
        ...rest,
      });
    },
    async counted(work) {
      service.clearLog();
      const result = await work();
      return {
        result,
        requests: service.log.length,
        counted: service.log.filter(({ counted }) => counted).length,
      };
    },
  };
}

/** All items as the service returns them, flat, bypassing caches: what a replica must be equal to. */
export async function readFromService(
  emulated: EmulatedSpace,
  models: ModelMap,
  apiKey = 'published',
  lang?: string,
) {
  const items = new Map<number, WireContent>();
  for (const model of Object.keys(models)) {
    for (let offset = 0; ; offset += 100) {
      const url = `${emulated.service.baseUrl}/contents?model=${model}&depth=0&offset=${offset}&order=_id${lang ? `&lang=${lang}` : ''}`;
      const response = await emulated.service.fetch(url, {
        headers: { 'X-SERVICE-API-KEY': apiKey, 'x-luid-pop': `check-${Math.random()}` },
      });
      const { data, total } = (await response.json()) as { data: WireContent[]; total: number };
      for (const item of data) items.set(item._id, item);
      if (offset + 100 >= total) break;
    }
  }
  return items;
}
