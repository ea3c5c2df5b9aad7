import { createConnection } from '../../src/client/http/connection.ts';
import type { WireContent } from '../../src/contract/content.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import type { Replica } from '../../src/replica/replica.ts';
import type { Manifest } from '../../src/replica/store/manifest/manifest.ts';
import { emptyManifest, type Snapshot } from '../../src/replica/store/snapshot.ts';
import { storedReplica } from '../../src/replica/stored-replica.ts';
import { type MainChanges, mainChanges } from '../../src/replica/sync/main-changes.ts';
import { openSession, type SessionOptions, type SyncSession } from '../../src/replica/sync/session.ts';
import { syncLanguage } from '../../src/replica/sync/sync.ts';
import { at, second } from './wire-items.ts';
import { packSession } from './written.ts';

export interface SeedItem {
  readonly id: number;
  readonly model: string;
  readonly [property: string]: unknown;
}

/** Published content in the main language that was created in the second of its id, unless it says otherwise. */
export function published(model: string, id: number, ja: object, rest: object = {}): SeedItem {
  return { id, model, created_at: at(id), published: { ja }, ...rest };
}

type Options = Partial<SessionOptions> & { readonly apiKey?: string; readonly fetch?: typeof fetch };

export interface Space {
  readonly service: Emulator;
  readonly warnings: string[];
  /** The manifest that the last sync of a language stored. */
  stored(lang?: string): Manifest;
  /** A session that goes on from there. No space is so small that it is read in one round. */
  open(options?: Options): SyncSession;
  /** The main language as it is stored. */
  main(): Replica;
  /** Stores what a session found. */
  store(session: SyncSession): Promise<Manifest>;
  /** Opens a session, syncs and stores. */
  sync(options?: Options): Promise<SyncSession>;
  /** The requests that work makes, in few words: see `nameOf`. */
  requests(work: () => Promise<unknown>): Promise<string[]>;
}

/** A main language in which nothing changed. */
export const NO_MAIN_CHANGES: MainChanges = { areKnown: true, added: [], changed: [], removed: [] };

const ORIGIN = 'http://space.test';

/** A service in this process, an hour after second 0, and a cache in memory. */
export function openSpace(
  models: ModelMap,
  contents: readonly SeedItem[],
  { serviceModels = models, ...options }: EmulatorOptions & { serviceModels?: ModelMap } = {},
): Space {
  const keys = [
    { key: 'published', reads: 'published' },
    { key: 'drafts', reads: 'drafts' },
  ];
  const languages = { main: 'ja', sub: ['en'] };
  const seed = { languages, keys, models: serviceModels, media: [], contents };
  const service = createEmulator(seed, { origin: ORIGIN, rateLimit: false, ...options });
  service.clock.set(second(3600));
  const bodies = new Map<string, string>();
  const snapshot = {
    segment: async (hash: string) => bodies.get(hash),
    encrypt: (body: string) => body,
  } as Snapshot;
  const manifests = new Map<string | undefined, Manifest>();
  const languageOf = new WeakMap<SyncSession, string | undefined>();
  const warnings: string[] = [];
  const now = () => service.clock.now();

  const space: Space = {
    service,
    warnings,
    stored: (lang) => manifests.get(lang) ?? emptyManifest(),
    open({ apiKey = 'published', fetch = service.fetch, ...rest } = {}) {
      const found = createConnection({
        baseUrl: service.baseUrl,
        apiKey,
        fetch,
        clock: { now, sleep: () => new Promise(() => {}) },
        network: { requestsPerMinute: Number.POSITIVE_INFINITY, retries: 0 },
      });
      const session = openSession({
        connect: async () => found,
        models,
        space: undefined,
        lang: undefined,
        manifest: space.stored(rest.lang),
        snapshot,
        forceFullSync: false,
        maxAge: Number.POSITIVE_INFINITY,
        modelMapChanged: false,
        damaged: false,
        damagedModels: new Set(),
        main: undefined,
        mainChanges: NO_MAIN_CHANGES,
        progress: { page: () => {} },
        logger: { info: () => {}, warn: (message) => warnings.push(message) },
        now,
        concurrency: 0,
        stop: new AbortController(),
        ...rest,
      });
      languageOf.set(session, rest.lang);
      return session;
    },
    async store(session) {
      const { manifest, written } = await packSession(session);
      for (const [hash, body] of written) bodies.set(hash, body);
      manifests.set(languageOf.get(session), manifest);
      return manifest;
    },
    main: () =>
      storedReplica({ models, manifest: space.stored(), readSegment: async (hash) => bodies.get(hash) }),
    async sync(given = {}) {
      const main = given.lang === undefined ? undefined : (given.main ?? space.main());
      const manifest = given.manifest ?? space.stored(given.lang);
      const session = space.open({ main, mainChanges: await mainChanges(manifest, main), ...given });
      await syncLanguage(session);
      await space.store(session);
      return session;
    },
    async requests(work) {
      service.clearLog();
      await work();
      return service.log.map(({ query }) => nameOf(new URLSearchParams(query)));
    },
  };
  return space;
}

/**
 * A request in few words: `newest by _updated_at`, `items 1,2`, `models of 1,2`, `count`, `page by _created_at`;
 * and where it has them, its language and that it bypasses the CDN. Those by id always bypass it.
 */
export function nameOf(query: URLSearchParams): string {
  const ids = query.get('_id[in]');
  const order = query.get('order') ?? '';
  const lang = query.has('lang') ? ` in ${query.get('lang')}` : '';
  const select = query.get('select');
  if (ids) return `${select ? 'models of' : 'items'} ${ids}${lang}`;
  const range = query.has('_created_at[gte]') || query.has('_created_at[lt]') ? ' in a range' : '';
  if (select) return `count ${query.get('model') ?? 'all'}${range}${lang}`;
  const bypass = query.has('_created_at[lte]') ? ' bypassing the CDN' : '';
  if (order.startsWith('-')) return `newest by ${order.slice(1)}${lang}${bypass}`;
  return `page of ${query.get('model') ?? 'all'} by ${order.split(',')[0]}${lang}${bypass}`;
}

/** All items of a session, by id. */
export async function itemsOf(session: SyncSession): Promise<Map<number, WireContent>> {
  const tables = session.groups.flatMap((group) => [...group.tables.values()]);
  const items = (await Promise.all(tables.map((copy) => copy.all()))).flat();
  return new Map(items.map((item) => [item._id, item]));
}
