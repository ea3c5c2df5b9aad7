import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { ASSETS, MAX_BYTES, MAX_TOTAL_BYTES } from '../../scripts/media/assets.mjs';

const FOLDER = join(import.meta.dirname, '../../docs/assets');
const SCENES = join(import.meta.dirname, '../../scripts/media/scenes');
const MAX_SECONDS = 30;
const names = Object.keys(ASSETS).sort();

test('docs/assets contains the images that npm run media makes, and nothing else', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(names.map((name) => `${name}.webp`));
  expect(readdirSync(SCENES).sort()).toEqual(names.map((name) => `${name}.mjs`));
});

test('all images together are small', () => {
  const total = names.reduce((sum, name) => sum + readFileSync(join(FOLDER, `${name}.webp`)).length, 0);
  expect(total).toBeLessThanOrEqual(MAX_TOTAL_BYTES);
});

describe.each(Object.entries(ASSETS))('%s.webp', (name, { isAnimated, width, height }) => {
  const bytes = readFileSync(join(FOLDER, `${name}.webp`));

  test('is WebP of the stated dimensions, and small', async () => {
    const found = await sharp(bytes).metadata();
    expect(found).toMatchObject({ format: 'webp', width, height });
    expect(width).toBeLessThanOrEqual(1280);
    expect(bytes.length).toBeLessThanOrEqual(MAX_BYTES);
  });

  test(isAnimated ? 'is a recording that repeats and is short' : 'is a still image', async () => {
    const { pages = 1, delay = [], loop } = await sharp(bytes, { animated: true }).metadata();
    if (!isAnimated) return expect(pages).toBe(1);
    expect(pages).toBeGreaterThan(1);
    expect(loop).toBe(0);
    expect(delay.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(MAX_SECONDS * 1000);
  });
});
