import type { KnownSize } from './known-sizes.ts';

/** In pixels, as a picture is to be seen. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The first EXIF orientation of those that lay a picture on its side. */
const ON_ITS_SIDE = 5;

/** What the first bytes of a picture say of it; `undefined` if they are too few, or of no picture. */
export async function readSize(bytes: Uint8Array): Promise<KnownSize | undefined> {
  const { imageSize } = await import('image-size');
  try {
    const { width, height, orientation = 1, type = '' } = imageSize(bytes);
    if (!(width >= 1 && height >= 1)) return undefined;
    const size = { width: Math.round(width), height: Math.round(height), format: type };
    return orientation < ON_ITS_SIDE ? size : { ...size, width: size.height, height: size.width };
  } catch {
    return undefined;
  }
}
