import type { MediaLayout } from '../models/field-types/media.ts';

/** Astro's breakpoints for remote image services. */
const BREAKPOINTS = [640, 750, 828, 960, 1080, 1280, 1668, 1920, 2048, 2560, 3200, 3840, 4480, 5120, 6016];

/**
 * Astro's `widths` and `sizes` for a layout: breakpoints up to twice the displayed `width`. Unlike in Astro, widths
 * above `maxWidth` are replaced by it, not omitted, so that the full resolution is offered.
 */
export function layoutWidths(
  layout: MediaLayout | undefined,
  width: number | undefined,
  maxWidth: number,
  breakpoints: readonly number[] = BREAKPOINTS,
): { widths: number[]; sizes: string | undefined } {
  const limit = (widths: readonly number[], sizes?: string) => ({
    widths: widths.map((one) => Math.min(one, maxWidth)),
    sizes,
  });
  if (layout === 'full-width') return limit(breakpoints, '100vw');
  if (!width || layout === 'none') return limit([]);
  const densities = [width, width * 2];
  if (layout === 'fixed') return limit(densities, `${width}px`);
  const screens = breakpoints.filter((one) => one < width * 2);
  return limit([...densities, ...screens], `(min-width: ${width}px) ${width}px, 100vw`);
}
