import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import pRetry from 'p-retry';
import type { Connection } from '../../client/http/connection.ts';
import { retryDelay } from '../../client/http/limits/retry-delay.ts';
import { AssetError, requestAsset } from '../../images/assets/request-asset.ts';
import { LuidError } from '../../shared/errors.ts';
import { writeFileAtomically } from './files.ts';
import { ASSETS_URL, type BackupMedia } from './media-index.ts';

/** Where media are downloaded from. Nothing is requested elsewhere. */
export interface MediaSource {
  readonly connection: Connection;
  readonly assetsUrl: string | undefined;
}

/** The size and the hash of a media file. */
interface MediaFacts {
  readonly bytes: number;
  readonly sha256: string;
}

const RETRIES = 3;
/** In milliseconds. Media are larger than responses with content. */
const TIMEOUT = 10 * 60 * 1000;

/** Downloads the original of a media, into a file if one is named. Throws an `AssetError` if it cannot be read. */
export async function downloadMedia(
  { url }: Pick<BackupMedia, 'url'>,
  { connection, assetsUrl }: MediaSource,
  file?: string,
): Promise<MediaFacts> {
  const { fetch, clock } = connection;
  if (assetsUrl === undefined || !url.startsWith(`${ASSETS_URL}/`)) {
    throw new AssetError('is not below the assetsUrl of the space');
  }
  const absolute = assetsUrl.replace(/\/+$/, '') + url.slice(ASSETS_URL.length);
  let failure: unknown;
  const attempt = () =>
    requestAsset(absolute, {}, { fetch, clock, timeout: TIMEOUT }, async (response) => {
      try {
        return await factsOf(response.body ?? [], (chunks) =>
          file === undefined ? drain(chunks) : writeFileAtomically(file, chunks, { durable: true }),
        );
      } catch (error) {
        // Of the disk, which `requestAsset` would take for one of the network.
        if (LuidError.is(error)) failure = error;
        throw error;
      }
    });
  return pRetry(attempt, {
    retries: connection.network.retries === 0 ? 0 : RETRIES,
    minTimeout: 0,
    async shouldRetry({ error, retriesConsumed }) {
      if (failure || !(error instanceof AssetError) || !error.isRetryable) return false;
      await clock.sleep(retryDelay(retriesConsumed + 1));
      return true;
    },
  }).catch((error) => {
    throw failure ?? error;
  });
}

/** Of a file that was downloaded earlier; `undefined` if it is not there. */
export async function downloadedFacts(file: string): Promise<MediaFacts | undefined> {
  return factsOf(createReadStream(file), drain).catch(() => undefined);
}

async function factsOf(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  use: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<MediaFacts> {
  const hash = createHash('sha256');
  let size = 0;
  async function* counted() {
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.byteLength;
      yield chunk;
    }
  }
  await use(counted());
  return { bytes: size, sha256: hash.digest('hex') };
}

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}
