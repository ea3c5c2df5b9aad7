import { createHash } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import { badRequest, HttpError } from '../http/http-error.ts';
import { ImageCache } from './image-cache.ts';
import type { ImageFormat, ImageInfo } from './image-info.ts';
import { computeSize, type ImageRequest, type Size } from './image-request.ts';
import { openImage, sharpVersions } from './sharp.ts';

export interface ResizedImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: ImageFormat;
  /** Identifies the result: equal for equal originals and requests. */
  readonly hash: string;
}

type ImageBytes = Promise<Uint8Array<ArrayBuffer>>;

/** Parallel work in the whole process, separate for small and large results. */
const smallQueue = pLimit(2);
const largeQueue = pLimit(1);
/** Maximum number of waiting images: each keeps its original in memory. */
const MAX_QUEUE = 200;
/** Seconds per image. With the pixel limits, images take far less on any current machine. */
const TIME_LIMIT = 20;
/** A result with more pixels is large. As AVIF it is encoded with the least effort, which is five times as fast. */
const LARGE_PIXELS = 2_000_000;

/** Resizes and re-encodes images; each result is computed once and cached. */
export class ImageResizer {
  readonly #cache: ImageCache;
  readonly #running = new Map<string, ImageBytes>();

  constructor(folder: string | undefined, onError: (error: unknown) => void) {
    this.#cache = new ImageCache(folder, onError);
  }

  /** `undefined`: the original is too large to be resized, and is to be served unchanged. */
  async resize(
    original: Uint8Array,
    info: ImageInfo,
    request: ImageRequest,
  ): Promise<ResizedImage | undefined> {
    const format = request.format ?? info.format;
    const size = computeSize(request, info);
    if (!size) return undefined;
    const isLarge = size.width * size.height > LARGE_PIXELS;
    const [queue, effort] = isLarge ? [largeQueue, 0] : [smallQueue, 2];
    const settings = JSON.stringify([size, format, request.progressive, await sharpVersions(), effort]);
    const hash = createHash('sha256').update(original).update(settings).digest('hex');
    const work = () => encode(original, { ...request, format }, size, effort);
    const running =
      this.#running.get(hash) ?? this.#create(hash, queue, work).finally(() => this.#running.delete(hash));
    this.#running.set(hash, running);
    return { bytes: await running, format, hash };
  }

  async #create(hash: string, queue: LimitFunction, work: () => ImageBytes): ImageBytes {
    const cached = await this.#cache.read(hash);
    if (cached) return cached;
    if (queue.pendingCount >= MAX_QUEUE) {
      const explanation = `More than ${MAX_QUEUE} images are waiting to be resized. Request them again later.`;
      throw new HttpError(503, { retryAfter: 5, explanation });
    }
    const bytes = await queue(work);
    await this.#cache.write(hash, bytes);
    return bytes;
  }
}

async function encode(
  original: Uint8Array,
  { format, progressive }: ImageRequest & { format: ImageFormat },
  size: Size,
  effort: number,
): ImageBytes {
  // `cover` crops at the centre, unless the size has the aspect ratio of the original.
  let image = (await openImage(original, { failOn: 'none' }))
    .timeout({ seconds: TIME_LIMIT })
    .autoOrient()
    .resize({ ...size, fit: 'cover', position: 'centre' });
  if (format === 'jpeg') image = image.flatten({ background: '#fff' }).jpeg({ progressive });
  else if (format === 'avif') image = image.avif({ effort });
  else image = image.toFormat(format);
  try {
    return new Uint8Array(await image.toBuffer());
  } catch (error) {
    if ((error as Error).message.startsWith('timeout')) {
      const explanation = `This image takes longer than ${TIME_LIMIT} s to process.`;
      throw new HttpError(400, { explanation });
    }
    // The header is valid but the rest is not, or the format does not support this size.
    throw badRequest();
  }
}
