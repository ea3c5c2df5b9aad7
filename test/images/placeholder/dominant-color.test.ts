import { expect, test } from 'vitest';
import { dominantColor } from '../../../src/images/placeholder/dominant-color.ts';
import { landscape } from '../drawn-images.ts';

type Color = readonly [red: number, green: number, blue: number, alpha?: number];
const picture = (...colors: Color[]) => ({
  width: colors.length,
  height: 1,
  rgba: Uint8Array.from(colors.flatMap(([red, green, blue, alpha = 255]) => [red, green, blue, alpha])),
});

test('the dominant color is the most frequent one, not the average', () => {
  expect(dominantColor(picture([255, 0, 0], [255, 0, 0], [255, 0, 0], [0, 0, 255], [0, 255, 0]))).toBe(
    '#ff0000',
  );
});

test('similar colors count together, with their average', () => {
  expect(dominantColor(picture([8, 8, 8], [10, 10, 10], [12, 12, 12], [200, 0, 0], [200, 0, 0]))).toBe(
    '#0a0a0a',
  );
});

test('transparent pixels count as much as they are opaque', () => {
  const nearlyClear: Color = [255, 0, 0, 10];
  expect(dominantColor(picture(nearlyClear, nearlyClear, nearlyClear, [0, 0, 255]))).toBe('#0000ff');
  expect(dominantColor(picture([255, 0, 0, 100], [250, 0, 0, 0]))).toBe('#ff0000');
});

test('of equally frequent colors the first counts', () => {
  expect(dominantColor(picture([0, 0, 255], [255, 0, 0]))).toBe('#0000ff');
  expect(dominantColor(picture([255, 0, 0], [0, 0, 255]))).toBe('#ff0000');
});

test('an invisible image is black', () => {
  expect(dominantColor(picture([255, 255, 255, 0]))).toBe('#000000');
});

test('that of a landscape is its sky', async () => {
  const { data, info } = await landscape(32, 21).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  expect(dominantColor({ ...info, rgba: data })).toBe('#9cd3f2');
});
