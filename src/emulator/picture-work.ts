import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { makeFolder, writeAtomically } from './atomic-file.ts';
import { type PictureAsk, sizeOf } from './picture-ask.ts';
import type { Picture, PictureFormat } from './pictures.ts';
import { badRequest } from './refusal.ts';
import { openPicture, pictureEngine } from './sharp.ts';

export interface Result {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: PictureFormat;
  /** Different for different results. */
  readonly hash: string;
}

/** Pictures that are worked on at once. */
const limit = pLimit(2);

/** Resizes and re-encodes pictures, each result once: it is kept in a folder, across restarts. */
export class PictureWork {
  readonly #folder: string;
  readonly #running = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  constructor(folder = join(tmpdir(), `astro-luid-assets-${userInfo().uid}`)) {
    this.#folder = folder;
  }

  async result(original: Uint8Array, picture: Picture, ask: PictureAsk): Promise<Result> {
    const format = ask.format ?? picture.format;
    const size = sizeOf(ask, picture);
    const parts = JSON.stringify([size, format, ask.progressive, await pictureEngine()]);
    const hash = createHash('sha256').update(original).update(parts).digest('hex');
    let running = this.#running.get(hash);
    if (!running) {
      running = this.#make(hash, () => work(original, { ...ask, format }, size));
      this.#running.set(hash, running);
      const done = () => this.#running.delete(hash);
      running.then(done, done);
    }
    return { bytes: await running, format, hash };
  }

  async #make(hash: string, work: () => Promise<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
    const path = join(this.#folder, hash);
    const kept = await readFile(path).catch(() => undefined);
    if (kept?.length) return new Uint8Array(kept);
    const bytes = await limit(work);
    try {
      await makeFolder(this.#folder);
      await writeAtomically(path, bytes, `${path}.${randomUUID()}.tmp`);
    } catch {
      // A cache that cannot be kept costs time, not the answer.
    }
    return bytes;
  }
}

async function work(
  original: Uint8Array,
  { format, progressive }: PictureAsk & { format: PictureFormat },
  size: { width: number; height: number },
): Promise<Uint8Array<ArrayBuffer>> {
  // Exactly this size: in the picture's proportions nothing is cut off, else what is outside of the centre.
  let image = (await openPicture(original, { failOn: 'none' }))
    .autoOrient()
    .resize({ ...size, fit: 'cover', position: 'centre' });
  if (format === 'jpeg') image = image.flatten({ background: '#fff' }).jpeg({ progressive });
  else if (format === 'avif') image = image.avif({ effort: 2 });
  else image = image.toFormat(format);
  const bytes = await image.toBuffer().catch(() => {
    // The header was that of a picture, the rest is none; or the format cannot hold the size.
    throw badRequest();
  });
  return new Uint8Array(bytes);
}
