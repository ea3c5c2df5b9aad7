import type { Pixels } from './decode-png.ts';

/** Colors that differ by less are counted together: 8 levels per channel. */
const LEVEL_BITS = 3;

/** The average of the most frequent similar colors, as `#rrggbb`. Transparent pixels count less. */
export function dominantColor({ rgba }: Pixels): string {
  const groups = new Map<number, { weight: number; red: number; green: number; blue: number }>();
  for (let at = 0; at < rgba.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at, at + 4);
    const key = [red, green, blue].reduce(
      (sum, value) => (sum << LEVEL_BITS) | (value >> (8 - LEVEL_BITS)),
      0,
    );
    const group = groups.get(key) ?? { weight: 0, red: 0, green: 0, blue: 0 };
    group.weight += alpha;
    group.red += red * alpha;
    group.green += green * alpha;
    group.blue += blue * alpha;
    groups.set(key, group);
  }
  // Of equal groups the first in the image, so that the result is always the same.
  const largest = [...groups.values()].reduce((best, group) => (group.weight > best.weight ? group : best));
  const hex = (sum: number) =>
    Math.round(sum / (largest.weight || 1))
      .toString(16)
      .padStart(2, '0');
  return `#${hex(largest.red)}${hex(largest.green)}${hex(largest.blue)}`;
}
