import { isDeepStrictEqual } from 'node:util';
import { MutableDataStore } from '../../node_modules/astro/dist/content/mutable-data-store.js';
import type { Emulator, EmulatorOptions } from '../../src/emulator/index.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { CacheStorage } from '../histories/storage.ts';
import {
  type Collection,
  type CollectionQuery,
  type Content,
  MODELS,
  openSite,
  responseOf,
  serve,
  shown,
} from './loader-site.ts';

export type Edit = (service: Emulator) => void;

export interface Scenario {
  readonly contents: readonly Content[];
  /** Of the service. */
  readonly serviceModels?: ModelMap;
  /** Of the site. */
  readonly models?: ModelMap;
  readonly service?: EmulatorOptions;
  readonly collection?: Collection & CollectionQuery;
  /** Options of the build that something happens in. */
  readonly options?: object;
  readonly isCold?: boolean;
  readonly concurrency?: number;
  /** Between the first build and the one that something happens in. */
  readonly before?: Edit;
  /** After that, and before the build that must be right. */
  readonly after?: Edit;
  /** Another build follows so soon that the CDN still has the copies of the one before. */
  readonly isRepeated?: boolean;
  readonly hide: Edit;
  readonly show: Edit;
  /** For how many requests it is hidden; `Infinity` for until the build has ended. */
  readonly lengths?: readonly number[];
}

/** What builds leave behind. */
interface Built {
  readonly origin: string;
  readonly cache: ReadonlyMap<string, unknown>;
  readonly store: string;
}

/** Builds until everything is confirmed: the second build confirms what the first one read. */
async function buildTwice(scenario: Scenario): Promise<Built> {
  const { service, storage, site, build } = await open(scenario);
  if (!scenario.isCold) {
    await build();
    await build();
  }
  return { origin: new URL(service.baseUrl).origin, cache: storage.copy(), store: site.store.toString() };
}

/** The service and the site, after the builds of another service with the same content. */
async function start(scenario: Scenario, built: Built) {
  const { service, build } = await open(scenario, built);
  service.clock.advance(60_000);
  scenario.before?.(service);
  service.clock.advance(60_000);
  return { service, build };
}

async function open(scenario: Scenario, built?: Built) {
  const { contents, serviceModels, models = MODELS, isRepeated, concurrency = 1 } = scenario;
  const service = serve(contents, {
    models: serviceModels ?? models,
    ...(isRepeated && { assumptions: { purgeDelay: 30_000 } }),
    ...(built && { origin: built.origin }),
    ...scenario.service,
  });
  const storage = new CacheStorage();
  if (built) storage.restore(built.cache);
  const site = openSite(service, built && (await MutableDataStore.fromString(built.store)));
  const { collection = { model: 'article' } } = scenario;
  const cache = { storage: storage.open().storage };
  const build = (more: object = {}) =>
    site.build({ articles: collection }, { cache, models, network: { concurrency }, ...more });
  return { service, storage, site, build };
}

/**
 * Hides and shows something before any two requests of a build, one second apart, and returns those pairs after
 * which the next build, during which nothing happens, is not what the service shows.
 */
export async function findWrongBuilds(scenario: Scenario): Promise<string[]> {
  const built = await buildTwice(scenario);
  const counted = await start(scenario, built);
  let requests = 0;
  counted.service.beforeRequest = () => void requests++;
  await counted.build(scenario.options);

  const wrong: string[] = [];
  for (const length of scenario.lengths ?? [1, 2, Number.POSITIVE_INFINITY]) {
    for (let from = 0; from + Math.min(length, 1) <= requests; from++) {
      const { service, build } = await start(scenario, built);
      const due = new Map([
        [from, scenario.hide],
        [from + length, scenario.show],
      ]);
      let request = 0;
      service.beforeRequest = () => {
        const edit = due.get(request);
        due.delete(request++);
        if (!edit) return;
        service.clock.advance(1000);
        edit(service);
      };
      await build(scenario.options);
      service.beforeRequest = undefined;
      service.clock.advance(1000);
      if (scenario.isRepeated) await build(scenario.options);
      for (const edit of due.values()) edit(service);
      service.clock.advance(60_000);
      scenario.after?.(service);
      service.clock.advance(60_000);
      const { articles } = await build();
      const right = await responseOf(service, scenario.collection ?? { model: 'article' });
      if (!isDeepStrictEqual(shown(articles), right)) wrong.push(`${from}-${from + length}`);
    }
  }
  return wrong;
}
