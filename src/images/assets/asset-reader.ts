import pRetry from 'p-retry';
import type { Storage } from 'unstorage';
import type { Connect, Connection } from '../../client/http/connection.ts';
import { rateLimiterFor } from '../../client/http/limits/rate-limiter.ts';
import { parseRetryAfter, retryDelay } from '../../client/http/limits/retry-delay.ts';
import { pluralize } from '../../shared/format-count.ts';
import type { Logger } from '../../shared/logger.ts';
import { type FactCache, openFactCache } from './fact-cache.ts';
import { type AssetFacts, type FactReader, selectFacts } from './fact-reader.ts';
import { createProgress, type FactMessages, failureWarning } from './read-log.ts';
import { AssetError, type RequestOptions } from './request-asset.ts';

/** What is read of assets: one fact per asset. */
export interface AssetFact<T extends object> {
  readonly messages: FactMessages;
  /** See {@link FACT_FOLDERS}. */
  readonly folder: string;
  /** Requests the fact of one asset. Throws an `AssetError`. */
  request(url: string, options: RequestOptions): Promise<T>;
  /** Called once per process for each fact that was found. */
  onKnown?(url: string, fact: T): void;
}

export interface AssetReaderOptions {
  readonly connect: Connect;
  /** The base URL of media. Requests go nowhere else. */
  readonly assetsUrl: string;
  /** `undefined`: nothing is stored. */
  readonly storage: Storage | undefined;
  /** Make no requests. */
  readonly offline?: boolean;
}

const DEFAULT_TIMEOUT = 30_000;
const DEFAULT_PAUSE = 1_000;
/** Fewer than for content: a build works without these facts. */
const MAX_RETRIES = 2;
/** After this many failures in a row, the remaining images are skipped. */
const MAX_CONSECUTIVE_FAILURES = 20;
/** New facts are stored in batches, so that an interrupted build keeps most of them. */
const STORE_BATCH = 250;

/** Reads one kind of fact about a space's assets, once per asset, and caches it; `null` for an asset that has none. */
export class AssetReader<T extends object> implements FactReader<T> {
  readonly #fact: AssetFact<T>;
  readonly #options: AssetReaderOptions;
  readonly #known = new Map<string, T | null>();
  readonly #running = new Map<string, Promise<void>>();
  #cache: FactCache<T | null> | undefined;
  #loading: Promise<void> | undefined;

  constructor(fact: AssetFact<T>, options: AssetReaderOptions) {
    this.#fact = fact;
    this.#options = options;
  }

  /** Loads what earlier builds stored. */
  load(logger: Logger): Promise<void> {
    this.#loading ??= this.#loadCache(logger);
    return this.#loading;
  }

  /**
   * The facts of these assets, after requesting those that are not known. All failures are one warning. Assets that
   * could not be reached are requested again by the next call; those that have no such fact never.
   */
  async read(urls: Iterable<string>, logger: Logger): Promise<AssetFacts<T>> {
    await this.load(logger);
    const requested = [...new Set(urls)];
    const missing = requested.filter((url) => !this.#known.has(url));
    if (missing.length > 0 && !this.#options.offline) {
      const running = missing.flatMap((url) => this.#running.get(url) ?? []);
      const fresh = missing.filter((url) => !this.#running.has(url));
      await Promise.all([...running, ...(fresh.length > 0 ? [this.#readAll(fresh, logger)] : [])]);
    }
    return selectFacts(requested, this.#known);
  }

  async #loadCache(logger: Logger): Promise<void> {
    const { storage, connect } = this.#options;
    if (!storage) return;
    try {
      const { apiKey } = await connect();
      this.#cache = openFactCache(storage, apiKey, this.#fact.folder);
      for (const [url, fact] of await this.#cache.load()) this.#add(url, fact);
    } catch (error) {
      logger.warn(`${this.#fact.messages.cannotLoad}: ${error}`);
    }
  }

  #add(url: string, fact: T | null): void {
    this.#known.set(url, fact);
    if (fact) this.#fact.onKnown?.(url, fact);
  }

  async #store(facts: Map<string, T | null>, logger: Logger): Promise<void> {
    if (facts.size === 0) return;
    const batch = new Map(facts);
    facts.clear();
    try {
      await this.#cache?.add(batch);
    } catch (error) {
      logger.warn(`${this.#fact.messages.cannotStore}: ${error}`);
    }
  }

  async #readAll(urls: readonly string[], logger: Logger): Promise<void> {
    const { messages } = this.#fact;
    const connecting = assetsConnection(this.#options);
    const logProgress = createProgress(messages, urls.length, logger);
    const unstored = new Map<string, T | null>();
    const failures = new Map<string, string>();
    let failedInARow = 0;
    const shouldSkip = () => failedInARow >= MAX_CONSECUTIVE_FAILURES;
    const add = (url: string, fact: T | null) => {
      this.#add(url, fact);
      unstored.set(url, fact);
    };

    const readOne = async (url: string) => {
      const connection = await connecting;
      try {
        add(url, await requestWithRetries(this.#fact, url, connection, shouldSkip));
        failedInARow = 0;
      } catch (error) {
        if (!(error instanceof AssetError)) throw error;
        failedInARow = error.isRetryable || shouldSkip() ? failedInARow + 1 : 0;
        failures.set(url, error.message);
        if (error.isFinal) add(url, null);
      }
      if (unstored.size >= STORE_BATCH) await this.#store(unstored, logger);
      logProgress(connection.clock.now());
    };

    const work = urls.map((url) => {
      const reading = readOne(url).finally(() => this.#running.delete(url));
      this.#running.set(url, reading);
      return reading;
    });
    await Promise.all(work);
    await this.#store(unstored, logger);
    if (failures.size > 0) logger.warn(failureWarning(messages, failures));
    const count = urls.length - failures.size;
    if (count > 0) logger.info(`Read the ${messages.plural} of ${pluralize(count, 'image')}`);
  }
}

/** Assets need no key and have no limit of requests per minute; concurrency, timeout and pauses apply as for content. */
async function assetsConnection({ connect, assetsUrl }: AssetReaderOptions): Promise<Connection> {
  const { network, ...connection } = await connect();
  return {
    ...connection,
    baseUrl: assetsUrl,
    apiKey: '',
    readsPublished: false,
    network: { ...network, requestsPerMinute: Number.POSITIVE_INFINITY },
  };
}

async function requestWithRetries<T extends object>(
  fact: AssetFact<T>,
  url: string,
  connection: Connection,
  shouldSkip: () => boolean,
): Promise<T> {
  const { fetch, clock, network } = connection;
  const limiter = rateLimiterFor(connection);
  const timeout = network.timeout ?? DEFAULT_TIMEOUT;
  const retries = Math.min(network.retries ?? MAX_RETRIES, MAX_RETRIES);
  const attempt = () =>
    limiter.schedule('read', () => {
      if (shouldSkip()) throw new AssetError('was skipped, after many that could not be reached');
      return fact.request(url, { fetch, clock, timeout });
    });
  return pRetry(attempt, {
    retries,
    // The delays are on the clock of the connection.
    minTimeout: 0,
    async shouldRetry({ error, retriesConsumed }) {
      if (!(error instanceof AssetError) || !error.isRetryable) return false;
      if (error.retryAfter === undefined) await clock.sleep(retryDelay(retriesConsumed + 1));
      else limiter.pause(pauseFor(error.retryAfter, retriesConsumed, clock.now()));
      return true;
    },
  });
}

/** Milliseconds. A header that is missing, zero or a date in the past does not say how long to wait. */
function pauseFor(retryAfter: string | null, retry: number, now: number): number {
  const requested = parseRetryAfter(retryAfter, now) ?? 0;
  return requested > 0 ? requested : DEFAULT_PAUSE * 2 ** retry;
}
