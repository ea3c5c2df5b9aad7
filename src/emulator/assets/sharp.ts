import type { Sharp, SharpOptions } from 'sharp';
import { optional } from '../optional.ts';

/** A picture of more pixels is not decoded. */
const MOST_PIXELS = 100_000_000;

/** Sharp, loaded when the first picture needs it. */
export async function openPicture(bytes: Uint8Array, options: SharpOptions = {}): Promise<Sharp> {
  const sharp = await load();
  return sharp(bytes, { limitInputPixels: MOST_PIXELS, ...options });
}

/** What decides how its results look, beside the picture and what is asked of it. */
export async function pictureEngine(): Promise<string> {
  const sharp = await load();
  return JSON.stringify(sharp.versions);
}

function load() {
  return optional('sharp', 'to resize, convert and check images', () => import('sharp'), 'default');
}
