import type { Storage } from 'unstorage';
import type { Connect, Connection } from '../../client/http/connection.ts';
import { rateLimiterFor } from '../../client/http/rate-limiter.ts';
import { parseRetryAfter, retryDelay } from '../../client/http/retry-delay.ts';
import { formatCount } from '../../format-count.ts';
import type { Logger } from '../../logger.ts';
import { type KnownSize, knownSizes } from '../known-sizes.ts';
import { openSizesCache, type SizesCache } from './dimensions-cache.ts';
import { ProbeFailure, probe } from './probe.ts';

export interface SizesOptions {
  readonly connect: Connect;
  /** Where media lie. Nothing else is ever asked. */
  readonly assetsUrl: string;
  /** Absent: nothing is stored. */
  readonly storage: Storage | undefined;
  /** Use what is known and ask nothing. */
  readonly offline?: boolean;
}

export interface Sizes {
  /** Brings in what earlier builds learned. */
  load(logger: Logger): Promise<void>;
  /**
   * What is known of these pictures, once those were asked for that are not. Those whose size cannot be
   * told make one warning. What could not be reached is asked for again the next time; what is no
   * picture never.
   */
  measure(urls: Iterable<string>, logger: Logger): Promise<Measured>;
}

export interface Measured {
  readonly sizes: ReadonlyMap<string, KnownSize>;
  /** Whether there is nothing left to ask for. */
  readonly isComplete: boolean;
}

/** Stands for what is no picture. */
const NO_PICTURE: KnownSize = { width: 0, height: 0, format: '' };

const DEFAULT_TIMEOUT = 30_000;
/** No picture is worth more: a build can do without its size. */
const MOST_RETRIES = 2;
/** As many in a row that cannot be reached, and the rest is not asked for. */
const MOST_UNREACHED = 20;
/** What was learned is stored this often, so that a build that is ended has not learned it in vain. */
const STORE_EVERY = 250;
const SAY_EVERY = 3_000;

/** Of those that failed. */
const SHOWN = 5;

/** The sizes of a space's pictures: read once each, then kept. */
export function openSizes(options: SizesOptions): Sizes {
  const known = new Map<string, KnownSize>();
  const asking = new Map<string, Promise<void>>();
  let cache: SizesCache | undefined;
  let loading: Promise<void> | undefined;

  function learn(sizes: ReadonlyMap<string, KnownSize>): void {
    for (const [url, size] of sizes) {
      known.set(url, size);
      if (size.width > 0) knownSizes().set(url, size);
    }
  }

  async function open(logger: Logger): Promise<void> {
    if (!options.storage) return;
    try {
      const { apiKey } = await options.connect();
      cache = openSizesCache(options.storage, apiKey);
      learn(await cache.load());
    } catch (error) {
      logger.warn(`The sizes of pictures cannot be read from the cache, so they are asked for: ${error}`);
    }
  }

  const load = (logger: Logger) => {
    loading ??= open(logger);
    return loading;
  };

  async function store(sizes: Map<string, KnownSize>, logger: Logger): Promise<void> {
    if (sizes.size === 0) return;
    const stored = new Map(sizes);
    sizes.clear();
    try {
      await cache?.add(stored);
    } catch (error) {
      logger.warn(`The sizes of pictures cannot be stored, so the next build asks for them again: ${error}`);
    }
  }

  /** Asks for all of these, as fast as the limits allow. */
  async function askFor(urls: readonly string[], logger: Logger): Promise<void> {
    const connecting = assetsConnection(options);
    const progress = createProgress(urls.length, logger, connecting);
    const learned = new Map<string, KnownSize>();
    const failures = new Map<string, string>();
    let unreached = 0;
    const isHopeless = () => unreached >= MOST_UNREACHED;
    const remember = (url: string, size: KnownSize) => {
      learn(new Map([[url, size]]));
      learned.set(url, size);
    };

    async function askOne(url: string): Promise<void> {
      const connection = await connecting;
      try {
        remember(url, await ask(url, connection, isHopeless));
        unreached = 0;
      } catch (error) {
        if (!(error instanceof ProbeFailure)) throw error;
        unreached = error.mayPass || isHopeless() ? unreached + 1 : 0;
        failures.set(url, error.message);
        if (error.isFinal) remember(url, NO_PICTURE);
      }
      if (learned.size >= STORE_EVERY) await store(learned, logger);
      await progress();
    }

    // Who wants the same from here on waits for these.
    const work = urls.map((url) => {
      const asked = askOne(url).finally(() => asking.delete(url));
      asking.set(url, asked);
      return asked;
    });
    await Promise.all(work);
    await store(learned, logger);
    if (failures.size > 0) logger.warn(failureLine(failures));
    const count = urls.length - failures.size;
    if (count > 0) logger.info(`${formatCount(count)} ${count === 1 ? 'picture' : 'pictures'} measured`);
  }

  return {
    load,
    async measure(urls, logger) {
      await load(logger);
      const wanted = [...new Set(urls)];
      const missing = wanted.filter((url) => !known.has(url));
      if (missing.length > 0 && !options.offline) {
        const others = missing.flatMap((url) => asking.get(url) ?? []);
        const fresh = missing.filter((url) => !asking.has(url));
        await Promise.all([...others, ...(fresh.length > 0 ? [askFor(fresh, logger)] : [])]);
      }
      const found = wanted.flatMap((url) => {
        const size = known.get(url);
        return size ? [[url, size] as const] : [];
      });
      return {
        sizes: new Map(found.filter(([, { width }]) => width > 0)),
        isComplete: found.length === wanted.length,
      };
    },
  };
}

/**
 * The connection to the assets. They know no key and count no requests a minute, but as many at once,
 * the time that each may take, and a pause that is asked for hold there, too.
 */
async function assetsConnection({ connect, assetsUrl }: SizesOptions): Promise<Connection> {
  const { network, ...connection } = await connect();
  return {
    ...connection,
    baseUrl: assetsUrl,
    apiKey: '',
    network: { ...network, requestsPerMinute: Number.POSITIVE_INFINITY },
  };
}

async function ask(url: string, connection: Connection, isHopeless: () => boolean): Promise<KnownSize> {
  const { fetch, clock, network } = connection;
  const limiter = rateLimiterFor(connection);
  const timeout = network.timeout ?? DEFAULT_TIMEOUT;
  const retries = Math.min(network.retries ?? MOST_RETRIES, MOST_RETRIES);
  for (let tries = 0; ; tries++) {
    try {
      return await limiter.schedule('read', () => {
        if (isHopeless()) throw new ProbeFailure('was not asked for, after many that could not be reached');
        return probe(url, { fetch, clock, timeout });
      });
    } catch (error) {
      if (!(error instanceof ProbeFailure) || !error.mayPass || tries >= retries) throw error;
      if (error.retryAfter === undefined) await clock.sleep(retryDelay(tries + 1));
      else limiter.pause(parseRetryAfter(error.retryAfter, clock.now()) ?? 1000);
    }
  }
}

/** A line every few seconds, for those who wait. */
function createProgress(total: number, logger: Logger, connecting: Promise<Connection>): () => Promise<void> {
  let done = 0;
  let said: number | undefined;
  return async () => {
    done += 1;
    const now = (await connecting).clock.now();
    said ??= now;
    if (now - said < SAY_EVERY || done === total) return;
    said = now;
    const percent = Math.floor((100 * done) / total);
    logger.info(`${formatCount(done)} of ${formatCount(total)} pictures measured (${percent} %)`);
  };
}

function failureLine(failures: ReadonlyMap<string, string>): string {
  const count = failures.size === 1 ? '1 picture has' : `${formatCount(failures.size)} pictures have`;
  const lines = [...failures].map(([url, why]) => `\n  ${url} ${why}`).sort();
  const more = failures.size - SHOWN;
  return (
    `${count} no dimensions; the next build asks again for what could not be reached:` +
    lines.slice(0, SHOWN).join('') +
    (more > 0 ? `\n  and ${formatCount(more)} more` : '')
  );
}
