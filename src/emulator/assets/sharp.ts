import type { Sharp, SharpOptions } from 'sharp';
import { loadOptional } from '../optional-package.ts';

/** Images with more pixels are not decoded. */
const MAX_PIXELS = 100_000_000;

/** Opens an image with sharp, which is loaded on first use. */
export async function openImage(bytes: Uint8Array, options: SharpOptions = {}): Promise<Sharp> {
  const sharp = await loadSharp();
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, ...options });
}

/** The versions of sharp and its libraries: other versions may encode the same image differently. */
export async function sharpVersions(): Promise<string> {
  const sharp = await loadSharp();
  return JSON.stringify(sharp.versions);
}

function loadSharp() {
  return loadOptional('sharp', 'to resize, convert and check images', () => import('sharp'), 'default');
}
