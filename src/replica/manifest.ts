import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { Segment } from './segments.ts';

/** How far a model is known: everything that happened before these times of the service. */
export interface Cursor {
  readonly updated: number;
  readonly published: number;
}

export interface ModelState {
  readonly segments: readonly Segment[];
  readonly cursor: Cursor;
  /** The cursor when all of it was read last. */
  readonly whole: Cursor;
  /** When all of it was read last, by the local clock: only for the age of it. */
  readonly readAt: number;
}

export interface Manifest {
  /** One more than what it was made from: of two, the larger is the newer. */
  readonly generation: number;
  /** By model and the formats of its texts. */
  readonly models: { readonly [name: string]: ModelState };
  /** What the newest items looked like, by the models that were asked for: equal again if nothing changed. */
  readonly heads: { readonly [models: string]: string };
  /** Items that are gone while others may still refer to them; until all is read again. */
  readonly gone: readonly number[];
  /** Alternative texts that were seen last, by media URL, while others may still hold an older one. */
  readonly alts: { readonly [url: string]: string };
  /** Whether what was read whole was at rest meanwhile; if not, all is to be read again. */
  readonly settled: boolean;
  /**
   * Segments that lay there when this was stored and that it does not name: of the state before, which a
   * reader may still be reading, or of a writer that was overtaken or ended. They go with the next commit.
   */
  readonly leaving: readonly string[];
}

const place = z.object({ time: z.number(), id: z.int() });
const HASH = /^[0-9a-f]{64}$/;
const hash = z.string().regex(HASH);
const cursor = z.object({ updated: z.number(), published: z.number() });
const schema: z.ZodType<Manifest> = z.object({
  generation: z.int().nonnegative(),
  models: z.record(
    z.string(),
    z.object({
      segments: z.array(z.object({ hash, count: z.int().positive(), first: place, last: place })),
      cursor,
      whole: cursor,
      readAt: z.number(),
    }),
  ),
  heads: z.record(z.string(), z.string()),
  gone: z.array(z.int()),
  alts: z.record(z.string(), z.string()),
  settled: z.boolean(),
  leaving: z.array(hash),
});

/** Whether a name is that of a segment. */
export function isHash(name: string): boolean {
  return HASH.test(name);
}

/**
 * Signs and checks manifests with a key that only those have who may read the content. A cache can be shared
 * with others (a CI cache, a bucket); who can write to it cannot make a build believe what it says. Segments
 * are named by their hash, so a manifest vouches for them too.
 */
export interface ManifestCodec {
  encode(manifest: Manifest): string;
  /** The manifest, or `undefined` if it is damaged, forged, malformed or of another snapshot. */
  decode(text: string): Manifest | undefined;
}

/** `identity` names the snapshot, so that a manifest of another one does not pass for it. */
export function manifestCodec(apiKey: string, identity: string): ManifestCodec {
  const key = createHmac('sha256', apiKey).update('astro-luid cache manifest').digest();
  const sign = (body: string) =>
    createHmac('sha256', key).update(identity).update('\n').update(body).digest('hex');

  return {
    encode(manifest) {
      const body = JSON.stringify(manifest);
      return `${sign(body)}\n${body}`;
    },
    decode(text) {
      const end = text.indexOf('\n');
      const signature = Buffer.from(text.slice(0, Math.max(0, end)));
      const body = text.slice(end + 1);
      const wanted = Buffer.from(sign(body));
      if (signature.length !== wanted.length || !timingSafeEqual(signature, wanted)) return undefined;
      return schema.safeParse(parseJson(body)).data;
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
