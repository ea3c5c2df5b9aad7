import { AssetError, type RequestOptions, requestAsset } from '../assets/request-asset.ts';
import type { ImageInfo } from './known-dimensions.ts';

/** Most headers are within the first range; in some files a large profile or preview precedes the header. */
const RANGES = [64 * 1024, 1024 * 1024];

/** Reads the dimensions of an image from its first bytes. */
export async function probeImage(url: string, options: RequestOptions): Promise<ImageInfo> {
  // Parsers that a build whose images are all known does not need.
  const { parseImageHeader } = await import('./image-header.ts');
  for (const length of RANGES) {
    const headers = { accept: 'image/*,*/*;q=0.5', range: `bytes=0-${length - 1}` };
    const { image, isComplete } = await requestAsset(url, headers, options, (response) =>
      readStart(response, length, parseImageHeader),
    );
    if (image) return image;
    if (isComplete) break;
  }
  throw new AssetError('is not a readable image', { isFinal: true });
}

/** Reads until the header is parsed, at most `length` bytes; more only if the service does not support ranges. */
async function readStart(
  response: Response,
  length: number,
  parse: (bytes: Uint8Array) => ImageInfo | undefined,
): Promise<{ image?: ImageInfo | undefined; isComplete: boolean }> {
  const isPartial = response.status === 206;
  const maxBytes = isPartial ? length : Math.max(...RANGES);
  let bytes = Buffer.alloc(0);
  let nextParse = 0;
  for await (const part of response.body ?? []) {
    bytes = Buffer.concat([bytes, part]);
    // Parsing starts over each time, so the intervals double.
    if (bytes.length < nextParse) continue;
    const image = parse(bytes);
    if (image) return { image, isComplete: true };
    if (bytes.length >= maxBytes) return { isComplete: !isPartial };
    nextParse = bytes.length * 2;
  }
  return { image: parse(bytes), isComplete: !isPartial || bytes.length < length };
}
