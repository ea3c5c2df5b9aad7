import type { Storage } from 'unstorage';
import { joinItems } from './segments/join-items.ts';
import type { SegmentBody } from './segments/segments.ts';

/**
 * A storage whose raw items are strings or a `Uint8Array`, and `null` if they do not exist. Drivers return an `ArrayBuffer`
 * (R2, S3, http, Netlify Blobs) or a `Blob` too, parse what is JSON (Upstash), or throw if a key does not exist (http).
 */
export function uniformStorage(storage: Storage): Storage {
  const read = async (key: string): Promise<unknown> => storage.getItemRaw(key);
  const readIfExists = (key: string) =>
    read(key).catch(async (error: unknown) => {
      if (await storage.hasItem(key)) throw error;
      return null;
    });
  const uniform = {
    async getItem(key: string): Promise<unknown> {
      const value: unknown = await storage.getItem(key);
      const bytes = await bytesOf(value);
      return bytes ? parseIfJson(new TextDecoder().decode(bytes)) : value;
    },
    async getItemRaw(key: string): Promise<SegmentBody | null> {
      const raw = await readIfExists(key);
      if (raw === null || raw === undefined) return null;
      return (await bytesOf(raw)) ?? textOf(raw);
    },
  };
  return Object.assign(Object.create(storage) as Storage, uniform);
}

/** `undefined` if it is not binary. By what it can do, because objects of another realm have other classes. */
async function bytesOf(value: unknown): Promise<Uint8Array | undefined> {
  if (ArrayBuffer.isView(value)) {
    if (value instanceof Uint8Array) return value;
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  const { arrayBuffer } = Object(value) as Partial<Blob>;
  const buffer = typeof arrayBuffer === 'function' ? await arrayBuffer.call(value) : value;
  return /ArrayBuffer\]$/.test(Object.prototype.toString.call(buffer))
    ? new Uint8Array(buffer as ArrayBuffer)
    : undefined;
}

/** The JSON of what a driver has parsed: that of a segment as it was written, whose hash is its name. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? joinItems(value.map((item) => JSON.stringify(item))) : JSON.stringify(value);
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
