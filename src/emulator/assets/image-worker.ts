import { createHash } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import { badRequest, Refusal } from '../http/refusal.ts';
import { PictureCache } from './image-cache.ts';
import type { Picture, PictureFormat } from './image-info.ts';
import { type PictureAsk, sizeOf } from './image-request.ts';
import { openPicture, pictureEngine } from './sharp.ts';

export interface Result {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: PictureFormat;
  /** Different for different results. */
  readonly hash: string;
}

type Work = Promise<Uint8Array<ArrayBuffer>>;
type Size = { readonly width: number; readonly height: number };

/** Images that are worked on in parallel, in the whole process: small results, and large ones beside them. */
const small = pLimit(2);
const large = pLimit(1);
/** Images that may wait for their turn: each holds its original in memory. */
const LONGEST_QUEUE = 200;
/** Seconds that one image may take. The pixel limits keep it far below on any machine of today. */
const TIME_LIMIT = 20;
/** Pixels of a large result. As AVIF it is encoded with the least effort: five times as fast. */
const LARGE = 2_000_000;

/** Resizes and re-encodes images, each result once. */
export class PictureWork {
  readonly #cache: PictureCache;
  readonly #running = new Map<string, Work>();

  constructor(folder: string | undefined, onError: (error: unknown) => void) {
    this.#cache = new PictureCache(folder, onError);
  }

  /** The result; `undefined` if the original is too large to be worked on, and to be served as it is. */
  async result(original: Uint8Array, picture: Picture, ask: PictureAsk): Promise<Result | undefined> {
    const format = ask.format ?? picture.format;
    const size = sizeOf(ask, picture);
    if (!size) return undefined;
    const [limit, effort] = size.width * size.height > LARGE ? [large, 0] : [small, 2];
    const parts = JSON.stringify([size, format, ask.progressive, await pictureEngine(), effort]);
    const hash = createHash('sha256').update(original).update(parts).digest('hex');
    let running = this.#running.get(hash);
    if (!running) {
      running = this.#make(hash, limit, () => work(original, { ...ask, format }, size, effort));
      this.#running.set(hash, running);
      const done = () => this.#running.delete(hash);
      running.then(done, done);
    }
    return { bytes: await running, format, hash };
  }

  async #make(hash: string, limit: LimitFunction, work: () => Work): Work {
    const kept = await this.#cache.read(hash);
    if (kept) return kept;
    if (limit.pendingCount >= LONGEST_QUEUE) throw busy();
    const bytes = await limit(work);
    await this.#cache.write(hash, bytes);
    return bytes;
  }
}

async function work(
  original: Uint8Array,
  { format, progressive }: PictureAsk & { format: PictureFormat },
  size: Size,
  effort: number,
): Work {
  // Exactly this size: in the picture's proportions nothing is cut off, else what is outside of the centre.
  let image = (await openPicture(original, { failOn: 'none' }))
    .timeout({ seconds: TIME_LIMIT })
    .autoOrient()
    .resize({ ...size, fit: 'cover', position: 'centre' });
  if (format === 'jpeg') image = image.flatten({ background: '#fff' }).jpeg({ progressive });
  else if (format === 'avif') image = image.avif({ effort });
  else image = image.toFormat(format);
  try {
    return new Uint8Array(await image.toBuffer());
  } catch (error) {
    if ((error as Error).message.startsWith('timeout')) throw tooSlow();
    // The header was that of a picture, the rest is none; or the format cannot hold the size.
    throw badRequest();
  }
}

function tooSlow(): Refusal {
  return new Refusal(400, { explanation: `This image takes longer than ${TIME_LIMIT} s to make.` });
}

function busy(): Refusal {
  return new Refusal(503, {
    retryAfter: 5,
    explanation: `More than ${LONGEST_QUEUE} images are waiting to be resized. Request them again later.`,
  });
}
