import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import sharp from 'sharp';
import { MAX_BYTES } from './assets.mjs';

/** Writes a recording as WebP and returns a line about it. Of a frame, only the part that changed is stored. */
export async function saveImage({ frames }, file, { isAnimated, width, height, quality }) {
  const images = frames.map(({ image }) => image);
  for (const image of images) {
    const found = await sharp(image).metadata();
    if (found.width !== width || found.height !== height) {
      throw new Error(
        `${basename(file)} has a frame of ${found.width}×${found.height}, not ${width}×${height}`,
      );
    }
  }
  const encoding = quality === undefined ? { lossless: true } : { quality, smartSubsample: true };
  const delay = frames.map(({ duration }) => Math.round(duration));
  const encoded = isAnimated
    ? sharp(images, { join: { animated: true } }).webp({
        ...encoding,
        effort: 6,
        minSize: true,
        delay,
        loop: 0,
      })
    : sharp(images.at(-1)).webp({ ...encoding, effort: 6 });
  const bytes = await encoded.toBuffer();
  if (bytes.length > MAX_BYTES) throw new Error(`${basename(file)} has ${bytes.length} bytes`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  const seconds = delay.reduce((sum, one) => sum + one, 0) / 1000;
  const about = isAnimated ? `, ${images.length} frames, ${seconds.toFixed(1)} s` : '';
  return `  ${basename(file)}: ${Math.round(bytes.length / 1000)} kB${about}`;
}
