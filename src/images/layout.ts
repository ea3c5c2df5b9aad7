import type { MediaLayout } from '../models/field-types/media.ts';

/** Astro's own, for pictures that cost no build time. */
const BREAKPOINTS = [640, 750, 828, 960, 1080, 1280, 1668, 1920, 2048, 2560, 3200, 3840, 4480, 5120, 6016];

/**
 * What Astro offers and says for a layout: the widths of screens, up to twice the `width` that the
 * picture is shown in. A width that is more than there is becomes the `most` that there is, which Astro
 * leaves out, and so shows less than it could.
 */
export function layOut(
  layout: MediaLayout | undefined,
  width: number | undefined,
  most: number,
  breakpoints: readonly number[] = BREAKPOINTS,
): { widths: number[]; sizes: string | undefined } {
  const offer = (widths: readonly number[], sizes?: string) => ({
    widths: widths.map((one) => Math.min(one, most)),
    sizes,
  });
  if (layout === 'full-width') return offer(breakpoints, '100vw');
  if (!width || layout === 'none') return offer([]);
  const both = [width, width * 2];
  if (layout === 'fixed') return offer(both, `${width}px`);
  const screens = breakpoints.filter((one) => one < width * 2);
  return offer([...both, ...screens], `(min-width: ${width}px) ${width}px, 100vw`);
}
