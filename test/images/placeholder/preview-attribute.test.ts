import { rgbaToThumbHash } from 'thumbhash';
import { describe, expect, test } from 'vitest';
import { placeholderCss } from '../../../scripts/placeholder-css.mjs';
import { previewAttributes } from '../../../src/images/placeholder/preview-attribute.ts';
import { seededRandom } from '../../support/seeded-random.ts';

type Color = readonly [number, number, number];

/** The placeholder of an image with these colors from left to right. */
function stripes(width: number, height: number, ...colors: Color[]) {
  const rgba = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at++) {
    const color = colors[Math.floor(((at % width) / width) * colors.length)] ?? [0, 0, 0];
    rgba.set(color, at * 4);
  }
  const thumbHash = Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64');
  return { thumbHash, color: '#000000', hasAlpha: false };
}

const css = placeholderCss();
const RULES = [...css.matchAll(/\[data-luid-placeholder\*=(\w+)\]\{--luid-(\w):(\d+)\}/g)];

/** The nine colors that the stylesheet gives an image with this attribute. */
function shownColors(attributes: Readonly<Record<string, string>>): Color[] {
  const value = attributes['data-luid-placeholder'] ?? '';
  const matching = RULES.filter(([, pair = '']) => value.includes(pair));
  const channels = new Map(matching.map(([, , name = '', level]) => [name, Number(level)]));
  // One rule per channel: no other pair is found in the value.
  expect(matching).toHaveLength(27);
  const names = [...'abcdefghijklmnopqrstuvwxyzZ'];
  return Array.from({ length: 9 }, (_, cell) => {
    const [red = 0, green = 0, blue = 0] = names
      .slice(cell * 3, cell * 3 + 3)
      .map((name) => channels.get(name) ?? -1);
    return [red, green, blue] as const;
  });
}

describe('the attribute of an image', () => {
  test('is a color for each of nine cells, as the stylesheet reads it', () => {
    for (const color of [
      [0, 0, 0],
      [255, 255, 255],
      [200, 40, 40],
      [20, 60, 200],
    ] as const) {
      const shown = shownColors(previewAttributes(stripes(24, 16, color)));
      for (const [red, green, blue] of shown) {
        const distance = Math.max(
          Math.abs(red - color[0]),
          Math.abs(green - color[1]),
          Math.abs(blue - color[2]),
        );
        // The steps are 17 apart, and a ThumbHash has 64.
        expect(distance).toBeLessThan(18);
      }
    }
  });

  test('has the cells in their places', () => {
    const [left, , right] = shownColors(previewAttributes(stripes(30, 20, [230, 20, 20], [20, 20, 230])));
    expect(left?.[0]).toBeGreaterThan(150);
    expect(right?.[2]).toBeGreaterThan(150);
    const cells = shownColors(previewAttributes(stripes(30, 20, [0, 0, 0], [255, 255, 255])));
    const bright = cells.map(([red]) => red > 128);
    expect([bright[0], bright[2], bright[3], bright[5], bright[6], bright[8]]).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  test('shows only the part that a cropped image shows', () => {
    const image = stripes(60, 20, [0, 0, 0], [255, 255, 255], [0, 0, 0]);
    const average = (ratio?: number) => {
      const cells = shownColors(previewAttributes(image, ratio));
      return cells.reduce((sum, [red]) => sum + red, 0) / 9;
    };
    expect(average()).toBeLessThan(130);
    // The middle third.
    expect(average(1)).toBeGreaterThan(170);
    // Wider than the image: all of its width.
    expect(average(0.1)).toBeLessThan(130);
  });

  test('is never ambiguous', () => {
    const random = seededRandom('previews');
    for (let n = 0; n < 100; n++) {
      const colors = Array.from({ length: 4 }, (): Color => [random(256), random(256), random(256)]);
      shownColors(previewAttributes(stripes(20 + (n % 3) * 20, 40, ...colors)));
    }
  });

  test('is missing for an image without a placeholder, or with transparent parts', () => {
    const image = stripes(10, 10, [1, 2, 3]);
    expect(previewAttributes(null)).toEqual({});
    expect(previewAttributes(undefined)).toEqual({});
    expect(previewAttributes({ ...image, hasAlpha: true })).toEqual({});
  });

  test.each(['', '?', 'AAAA', 'AAAAAAAA', '////////////'])(
    'is nothing harmful for the ThumbHash %j',
    (thumbHash) => {
      const attributes = previewAttributes({ thumbHash, color: '#000000', hasAlpha: false });
      const values = Object.values(attributes);
      expect(values.every((value) => /^([a-zZ][\dA-F]){27}$/.test(value))).toBe(true);
    },
  );
});

describe('the stylesheet', () => {
  test('has a rule for each channel and step, in the layer of Astro', () => {
    expect(RULES).toHaveLength(27 * 16);
    expect(css).toMatch(/^@layer astro\.images\{/);
    for (const [, pair = '', name, level] of RULES) {
      expect([pair[0], Number.parseInt(pair[1] ?? '', 16) * 17]).toEqual([name, Number(level)]);
    }
  });

  test('loads nothing', () => {
    expect(css).not.toMatch(/url\(|@import|data:/);
  });
});
