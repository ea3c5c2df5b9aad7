/** The width of all images: twice that of a column of text, for dense screens. */
const width = 1280;

/**
 * The images of docs/assets, by name. Each has a scene of that name in scenes/.
 * - `quality`: of lossy WebP; without it, the image is lossless.
 * - `isAnimated`: a recording, not a still image.
 */
export const ASSETS = {
  playground: { isAnimated: false, width, height: 944, quality: 82 },
  init: { isAnimated: true, width, height: 940 },
  toolbar: { isAnimated: false, width, height: 864, quality: 82 },
  edit: { isAnimated: true, width, height: 828, quality: 80 },
  studio: { isAnimated: true, width, height: 864, quality: 80 },
  revalidate: { isAnimated: true, width, height: 828, quality: 80 },
};

export const MAX_BYTES = 500_000;
export const MAX_TOTAL_BYTES = 2_000_000;
