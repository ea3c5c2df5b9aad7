import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import {
  type AttributeOptions,
  type Media,
  type MediaAttributes,
  mediaAttributes,
  srcset,
} from '../../src/images/index.ts';
import { LuidConfigError } from '../../src/shared/errors.ts';
import {
  createTestImages,
  emulatorWith,
  inspectImage,
  type TestImage,
  type TestImages,
} from './test-images.ts';

const url = 'https://assets.example/1/a.jpg';
const unknown: Media = { url, alt: 'A' };
const known: Media = { ...unknown, width: 1600, height: 1000 };

const widthsIn = (text = '') => text.split(', ').map((candidate) => candidate.split(' ')[1]);

describe('layouts, with the names and widths of Astro', () => {
  test('constrained is as wide as `width`, or as its container if that is narrower', () => {
    expect(mediaAttributes(known, { width: 700 })).toEqual({
      src: `${url}?width=700`,
      srcset: [640, 700, 750, 828, 960, 1080, 1280, 1400]
        .map((width) => `${url}?width=${width} ${width}w`)
        .join(', '),
      sizes: '(min-width: 700px) 700px, 100vw',
      width: 700,
      height: 438,
      alt: 'A',
      loading: 'lazy',
      decoding: 'async',
      fetchpriority: undefined,
    });
  });

  test('full-width is as wide as the screen', () => {
    const { srcset: candidates, sizes, width, height } = mediaAttributes(known, { layout: 'full-width' });
    expect(widthsIn(candidates)).toEqual(['640w', '750w', '828w', '960w', '1080w', '1280w', '1600w']);
    expect({ sizes, width, height }).toEqual({ sizes: '100vw', width: 1600, height: 1000 });
    expect(widthsIn(mediaAttributes(unknown, { layout: 'full-width' }).srcset).at(-1)).toBe('6016w');
  });

  test('fixed has one width, for densities of 1 and 2', () => {
    const { srcset: candidates, sizes } = mediaAttributes(known, { layout: 'fixed', width: 100 });
    expect(widthsIn(candidates)).toEqual(['100w', '200w']);
    expect(sizes).toBe('100px');
  });

  test('none has only the widths that are passed', () => {
    expect(mediaAttributes(known, { layout: 'none', width: 100 })).toMatchObject({
      src: `${url}?width=100`,
      srcset: undefined,
      sizes: undefined,
    });
    const { srcset: candidates } = mediaAttributes(known, { layout: 'none', width: 100, widths: [100, 150] });
    expect(widthsIn(candidates)).toEqual(['100w', '150w']);
  });

  test('breakpoints, sizes and widths can be passed', () => {
    const options = { width: 700, breakpoints: [300, 2000], sizes: '50vw' };
    const { srcset: candidates, sizes } = mediaAttributes(known, options);
    expect(widthsIn(candidates)).toEqual(['300w', '700w', '1400w']);
    expect(sizes).toBe('50vw');
    expect(widthsIn(mediaAttributes(known, { ...options, widths: [9, 3] }).srcset)).toEqual(['3w', '9w']);
  });

  test('an image with priority is loaded eagerly', () => {
    expect(mediaAttributes(known, { priority: true })).toMatchObject({
      loading: 'eager',
      decoding: 'sync',
      fetchpriority: 'high',
    });
  });
});

describe('no candidate is wider than the image, and there are no duplicates', () => {
  const small: Media = { ...unknown, width: 900, height: 600 };
  test.each<[AttributeOptions, string[]]>([
    [{ width: 700 }, ['640w', '700w', '750w', '828w', '900w']],
    [{ width: 1200 }, ['640w', '750w', '828w', '900w']],
    [{ width: 640 }, ['640w', '750w', '828w', '900w']],
    [{ layout: 'fixed', width: 1200 }, ['900w']],
    [{ layout: 'full-width' }, ['640w', '750w', '828w', '900w']],
    // The largest square in 900 × 600 has a side of 600.
    [{ width: 400, height: 400 }, ['400w', '600w']],
    [{ layout: 'none', widths: [5000, 100, 100.2] }, ['100w', '900w']],
  ])('%j', (options, widths) => {
    expect(widthsIn(mediaAttributes(small, options).srcset)).toEqual(widths);
  });

  test('with densities, the widest has its actual density', () => {
    expect(srcset(small, { width: 600, densities: [1, 2, 3] })).toBe(
      `${url}?width=600 1x, ${url}?width=900 1.5x`,
    );
  });
});

test('a candidate is at least one pixel high, however flat the box is', () => {
  expect(srcset(known, { width: 1000, height: 1, widths: [10, 1000] } as never)).toBe(
    `${url}?width=10&height=1&fit=crop 10w, ${url}?width=1000&height=1&fit=crop 1000w`,
  );
});

test('a comma at the end of a URL does not separate candidates', () => {
  const media = { ...known, url: `${url}#a,` };
  expect(srcset(media, { widths: [5, 9] })).toBe(`${url}?width=5#a%2C 5w, ${url}?width=9#a%2C 9w`);
});

describe('densities in a box', () => {
  const tall = { ...known, width: 1000, height: 2000 };
  test.each([
    ['bounds', [200, 400]],
    ['cover', [400, 800]],
  ] as const)(
    'with the fit %s are relative to the width in which the image is displayed',
    (fit, [once, twice]) => {
      const box = { width: 400, height: 400, fit };
      expect(mediaAttributes(tall, box).width).toBe(once);
      expect(srcset(tall, { ...box, densities: [1, 2] })).toBe(
        `${url}?width=${once} 1x, ${url}?width=${twice} 2x`,
      );
    },
  );

  test('are relative to the wider image that covers a tall box', () => {
    const wide = { ...known, width: 2000, height: 1000 };
    const options = { width: 400, height: 400, fit: 'cover', densities: [1, 2] } as const;
    expect(srcset(wide, options)).toBe(`${url}?width=800 1x, ${url}?width=1600 2x`);
  });

  test('are empty if the dimensions are not known', () => {
    expect(srcset(unknown, { width: 400, height: 400, fit: 'bounds', densities: [1, 2] })).toBe('');
  });
});

describe('a box', () => {
  test('is filled by default, or with `fit` contains or covers the image', () => {
    const { src, width, height } = mediaAttributes(known, { width: 400, height: 400 });
    expect({ src, width, height }).toEqual({
      src: `${url}?width=400&height=400&fit=crop`,
      width: 400,
      height: 400,
    });
    expect(mediaAttributes(known, { width: 400, height: 400, fit: 'bounds' })).toMatchObject({
      src: `${url}?width=400`,
      width: 400,
      height: 250,
    });
    expect(mediaAttributes(known, { width: 400, height: 400, fit: 'cover' })).toMatchObject({
      src: `${url}?width=640`,
      width: 640,
      height: 400,
    });
    expect(mediaAttributes(known, { height: 500 })).toMatchObject({ width: 800, height: 500 });
  });

  test('that depends on unknown dimensions is passed to the CDN as it is, without a srcset', () => {
    expect(mediaAttributes(unknown, { width: 400, height: 300, fit: 'bounds' })).toMatchObject({
      src: `${url}?width=400&height=300&fit=bounds`,
      srcset: undefined,
      // With those of the box, the image would be distorted or too large.
      width: undefined,
      height: undefined,
    });
    expect(mediaAttributes(unknown, { height: 300 })).toMatchObject({
      src: `${url}?height=300`,
      srcset: undefined,
      width: undefined,
      height: 300,
    });
  });
});

describe('invalid input', () => {
  test('an empty field has no attributes and no candidates', () => {
    expect(mediaAttributes(null)).toBeUndefined();
    expect(mediaAttributes(undefined, { width: 5 })).toBeUndefined();
    expect(srcset(null, { widths: [5] })).toBe('');
    expectTypeOf(mediaAttributes(unknown)).toEqualTypeOf<MediaAttributes>();
    expectTypeOf(mediaAttributes(unknown as Media | null)).toEqualTypeOf<MediaAttributes | undefined>();
  });

  test('a media without alt has an empty alt', () => {
    expect(mediaAttributes({ url } as Media).alt).toBe('');
    expect(mediaAttributes({ url, alt: null } as unknown as Media).alt).toBe('');
    expect(mediaAttributes(unknown, { alt: 'B' }).alt).toBe('B');
  });

  test.each([0, -1, 1e9, Number.NaN])('a width of %d', (width) => {
    for (const media of [known, unknown]) {
      expect(() => mediaAttributes(media, { width })).toThrow(LuidConfigError);
      expect(() => mediaAttributes(media, { height: width })).toThrow(LuidConfigError);
      expect(() => mediaAttributes(media, { widths: [width] })).toThrow(LuidConfigError);
      expect(() => srcset(media, { widths: [width] })).toThrow(LuidConfigError);
      expect(() => srcset(media, { width: 100, densities: [width] })).toThrow(LuidConfigError);
      expect(() => srcset(media, { width, densities: [1] })).toThrow(LuidConfigError);
    }
  });

  test('widths and densities at once, or densities without a width, do not compile', () => {
    // @ts-expect-error: one of them.
    srcset(known, { width: 10, widths: [1], densities: [1] });
    // @ts-expect-error: a density is that of a width.
    expect(() => srcset(known, { densities: [1] })).toThrow(LuidConfigError);
  });

  test.each(['javascript:alert(1)', 'data:image/png;base64,AA=='])('%s is removed', (bad) => {
    const media = { ...known, url: bad };
    expect(mediaAttributes(media, { width: 5 })).toMatchObject({ src: '', srcset: undefined });
    expect(srcset(media, { widths: [5] })).toBe('');
  });

  test('an image of another site is unchanged', () => {
    const media = { ...known, url: 'https://assets.example.evil/a.jpg' };
    const options = { width: 5, assetsUrl: 'https://assets.example' };
    expect(mediaAttributes(media, options)).toMatchObject({
      src: media.url,
      srcset: undefined,
      sizes: undefined,
      width: 5,
    });
    expect(srcset(media, { ...options, widths: [5] })).toBe('');
  });

  test('a huge image, or one in a narrow box, stays within the CDN’s limits', () => {
    const huge: Media = { ...unknown, width: 20_000, height: 10_000 };
    expect(widthsIn(mediaAttributes(huge).srcset).at(-1)).toBe('8192w');
    expect(mediaAttributes(unknown, { width: 10, height: 8000 }).srcset).toBe(
      `${url}?width=10&height=8000&fit=crop 10w`,
    );
  });
});

describe('every generated URL returns an image of the promised size', () => {
  const IMAGES: Record<string, TestImage> = {
    'wide.jpg': { width: 1300, height: 700 },
    'high.png': { width: 411, height: 997 },
    'small.webp': { width: 301, height: 200 },
    'turned.jpg': { width: 500, height: 300, orientation: 6 },
  };
  let images: TestImages;
  let service: Emulator;

  beforeAll(async () => {
    images = await createTestImages(IMAGES);
    service = emulatorWith(images);
  });
  afterAll(() => images?.remove());

  const mediaOf = (file: string): Media => {
    const { width = 0, height = 0, orientation = 1 } = IMAGES[file] ?? {};
    const id = Object.keys(IMAGES).indexOf(file) + 1;
    const size = orientation < 5 ? { width, height } : { width: height, height: width };
    return { url: `${service.assetsUrl}/${id}/${file}`, alt: file, ...size };
  };

  const OPTIONS: AttributeOptions[] = [
    {},
    { width: 333 },
    { width: 400, height: 225, format: 'webp' },
    { width: 200, height: 600, format: 'jpg' },
    { width: 320, height: 320, fit: 'bounds', format: 'png' },
    { width: 150, height: 150, fit: 'cover' },
    { height: 123 },
    { layout: 'fixed', width: 96, height: 96, format: 'avif' },
    { layout: 'full-width', format: 'webp' },
    { layout: 'none', widths: [1, 77, 4000] },
  ];
  const FORMATS: Record<string, string> = { jpg: 'jpeg' };

  test.each(Object.keys(IMAGES))('%s', async (file) => {
    const media = mediaOf(file);
    const own = { jpg: 'jpeg', png: 'png', webp: 'webp' }[file.split('.')[1] ?? ''];
    for (const options of OPTIONS) {
      const { src, srcset: candidates = '' } = mediaAttributes(media, options);
      const { width, height, fit = 'crop', format } = options;
      const shape =
        width && height && fit === 'crop' ? height / width : (media.height ?? 0) / (media.width ?? 1);
      const srcsetEntries = candidates.split(', ').map((candidate) => candidate.split(' '));
      const srcWidth = new URL(src).searchParams.get('width');
      expect(srcsetEntries.length).toBeGreaterThan(0);
      for (const [candidateUrl = '', descriptor = ''] of [...srcsetEntries, [src, `${srcWidth}w`]]) {
        const response = await service.fetch(candidateUrl);
        const promised = Number.parseInt(descriptor, 10);
        expect({ candidateUrl, ...(await inspectImage(await response.arrayBuffer())) }).toEqual({
          candidateUrl,
          width: promised,
          height: Math.max(1, Math.round(promised * shape)),
          format: format ? (FORMATS[format] ?? format) : own,
        });
      }
    }
  });
});
