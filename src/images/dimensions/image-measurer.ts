import type { Storage } from 'unstorage';
import type { Connect, Connection } from '../../client/http/connection.ts';
import { rateLimiterFor } from '../../client/http/rate-limiter.ts';
import { parseRetryAfter, retryDelay } from '../../client/http/retry-delay.ts';
import { pluralize } from '../../format-count.ts';
import type { Logger } from '../../logger.ts';
import { type DimensionsCache, openDimensionsCache } from './dimensions-cache.ts';
import { type ImageInfo, knownDimensions } from './known-dimensions.ts';
import { createProgress, failureWarning } from './measure-log.ts';
import { ProbeError, probeImage } from './probe-image.ts';

export interface ImageMeasurerOptions {
  readonly connect: Connect;
  /** The base URL of media. Requests go nowhere else. */
  readonly assetsUrl: string;
  /** `undefined`: nothing is stored. */
  readonly storage: Storage | undefined;
  /** Make no requests. */
  readonly offline?: boolean;
}

export interface Measurement {
  /** By URL. */
  readonly dimensions: ReadonlyMap<string, ImageInfo>;
  /** Whether another build would not find more. */
  readonly isComplete: boolean;
}

/** Stands for a URL that is not an image, in the cache too. */
const NOT_AN_IMAGE: ImageInfo = { width: 0, height: 0, format: '' };
const isImage = ({ width }: ImageInfo) => width > 0;

const DEFAULT_TIMEOUT = 30_000;
const DEFAULT_PAUSE = 1_000;
/** Fewer than for content: a build works without dimensions. */
const MAX_RETRIES = 2;
/** After this many failures in a row, the remaining images are skipped. */
const MAX_CONSECUTIVE_FAILURES = 20;
/** New dimensions are stored in batches, so that an interrupted build keeps most of them. */
const STORE_BATCH = 250;

/** Reads the dimensions of a space's images, once per image, and caches them. */
export class ImageMeasurer {
  readonly #options: ImageMeasurerOptions;
  readonly #known = new Map<string, ImageInfo>();
  readonly #running = new Map<string, Promise<void>>();
  #cache: DimensionsCache | undefined;
  #loading: Promise<void> | undefined;

  constructor(options: ImageMeasurerOptions) {
    this.#options = options;
  }

  /** Loads the dimensions that earlier builds stored. */
  load(logger: Logger): Promise<void> {
    this.#loading ??= this.#loadCache(logger);
    return this.#loading;
  }

  /**
   * The dimensions of images, after requesting those that are not known. All failures are one warning. Images that
   * could not be reached are requested again by the next call; URLs that are not images never.
   */
  async measure(urls: Iterable<string>, logger: Logger): Promise<Measurement> {
    await this.load(logger);
    const requested = [...new Set(urls)];
    const missing = requested.filter((url) => !this.#known.has(url));
    if (missing.length > 0 && !this.#options.offline) {
      const running = missing.flatMap((url) => this.#running.get(url) ?? []);
      const fresh = missing.filter((url) => !this.#running.has(url));
      await Promise.all([...running, ...(fresh.length > 0 ? [this.#measureAll(fresh, logger)] : [])]);
    }
    const found = requested.flatMap((url) => {
      const image = this.#known.get(url);
      return image ? [[url, image] as const] : [];
    });
    return {
      dimensions: new Map(found.filter(([, image]) => isImage(image))),
      isComplete: found.length === requested.length,
    };
  }

  async #loadCache(logger: Logger): Promise<void> {
    const { storage, connect } = this.#options;
    if (!storage) return;
    try {
      const { apiKey } = await connect();
      this.#cache = openDimensionsCache(storage, apiKey);
      for (const [url, image] of await this.#cache.load()) this.#add(url, image);
    } catch (error) {
      logger.warn(`Image dimensions cannot be read from the cache and are requested again: ${error}`);
    }
  }

  #add(url: string, image: ImageInfo): void {
    this.#known.set(url, image);
    if (isImage(image)) knownDimensions().set(url, image);
  }

  async #store(images: Map<string, ImageInfo>, logger: Logger): Promise<void> {
    if (images.size === 0) return;
    const batch = new Map(images);
    images.clear();
    try {
      await this.#cache?.add(batch);
    } catch (error) {
      logger.warn(`Image dimensions cannot be stored; the next build requests them again: ${error}`);
    }
  }

  async #measureAll(urls: readonly string[], logger: Logger): Promise<void> {
    const connecting = assetsConnection(this.#options);
    const logProgress = createProgress(urls.length, logger);
    const unstored = new Map<string, ImageInfo>();
    const failures = new Map<string, string>();
    let failedInARow = 0;
    const shouldSkip = () => failedInARow >= MAX_CONSECUTIVE_FAILURES;
    const add = (url: string, image: ImageInfo) => {
      this.#add(url, image);
      unstored.set(url, image);
    };

    const measureOne = async (url: string) => {
      const connection = await connecting;
      try {
        add(url, await probeWithRetries(url, connection, shouldSkip));
        failedInARow = 0;
      } catch (error) {
        if (!(error instanceof ProbeError)) throw error;
        failedInARow = error.isRetryable || shouldSkip() ? failedInARow + 1 : 0;
        failures.set(url, error.message);
        if (error.isNotAnImage) add(url, NOT_AN_IMAGE);
      }
      if (unstored.size >= STORE_BATCH) await this.#store(unstored, logger);
      logProgress(connection.clock.now());
    };

    const work = urls.map((url) => {
      const measuring = measureOne(url).finally(() => this.#running.delete(url));
      this.#running.set(url, measuring);
      return measuring;
    });
    await Promise.all(work);
    await this.#store(unstored, logger);
    if (failures.size > 0) logger.warn(failureWarning(failures));
    const count = urls.length - failures.size;
    if (count > 0) logger.info(`Read the dimensions of ${pluralize(count, 'image')}`);
  }
}

/** Assets need no key and have no limit of requests per minute; concurrency, timeout and pauses apply as for content. */
async function assetsConnection({ connect, assetsUrl }: ImageMeasurerOptions): Promise<Connection> {
  const { network, ...connection } = await connect();
  return {
    ...connection,
    baseUrl: assetsUrl,
    apiKey: '',
    network: { ...network, requestsPerMinute: Number.POSITIVE_INFINITY },
  };
}

async function probeWithRetries(
  url: string,
  connection: Connection,
  shouldSkip: () => boolean,
): Promise<ImageInfo> {
  const { fetch, clock, network } = connection;
  const limiter = rateLimiterFor(connection);
  const timeout = network.timeout ?? DEFAULT_TIMEOUT;
  const retries = Math.min(network.retries ?? MAX_RETRIES, MAX_RETRIES);
  for (let retry = 0; ; retry++) {
    try {
      return await limiter.schedule('read', () => {
        if (shouldSkip()) throw new ProbeError('was skipped, after many that could not be reached');
        return probeImage(url, { fetch, clock, timeout });
      });
    } catch (error) {
      if (!(error instanceof ProbeError) || !error.isRetryable || retry >= retries) throw error;
      if (error.retryAfter === undefined) await clock.sleep(retryDelay(retry + 1));
      else limiter.pause(parseRetryAfter(error.retryAfter, clock.now()) || DEFAULT_PAUSE);
    }
  }
}
