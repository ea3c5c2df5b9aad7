import { expect, test } from 'vitest';
import { displaySizeOf } from '../../src/images/display-size.ts';

const image = { width: 1600, height: 1000 };

test('an image keeps its aspect ratio', () => {
  expect(displaySizeOf(image, {})).toEqual({ width: 1600, height: 1000, maxWidth: 1600 });
  expect(displaySizeOf(image, { width: 800 })).toEqual({ width: 800, height: 500, maxWidth: 1600 });
  expect(displaySizeOf(image, { height: 500 })).toEqual({ width: 800, height: 500, maxWidth: 1600 });
});

test('an image is cropped to a box by default, and limited by its shorter side', () => {
  expect(displaySizeOf(image, { width: 400, height: 400 })).toEqual({
    width: 400,
    height: 400,
    maxWidth: 1000,
    ratio: 1,
  });
});

test('an image fits into a box, or covers it', () => {
  expect(displaySizeOf(image, { width: 400, height: 400, fit: 'bounds' })).toMatchObject({ height: 250 });
  expect(displaySizeOf(image, { width: 400, height: 400, fit: 'cover' })).toMatchObject({ width: 640 });
});

test('the width is unknown if it depends on unknown dimensions', () => {
  expect(displaySizeOf({}, { height: 300 }).isUnknown).toBeTruthy();
  expect(displaySizeOf({}, { width: 300 }).isUnknown).toBeFalsy();
});

test('neither side is known if an image of unknown dimensions fits into a box, or covers it', () => {
  for (const fit of ['bounds', 'cover'] as const) {
    const size = displaySizeOf({}, { width: 400, height: 300, fit });
    expect(size).toMatchObject({ isUnknown: true });
    expect([size.width, size.height]).toEqual([undefined, undefined]);
  }
  expect(displaySizeOf({}, { width: 400, height: 300 })).toMatchObject({ width: 400, height: 300 });
});
