import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { defineSpace, field } from '../../src/index.ts';
import { startCpuTimer } from '../support/cpu-time.ts';
import { contentOf, createLoaderContext } from './loader-context.ts';
import { connectionTo, serveItems } from './stub-service.ts';

const MEGABYTE = 2 ** 20;
const ASSETS = 'https://assets.example';

/** A buffer that starts with `start` and repeats `pattern` up to `size` bytes. */
function filled(start: Uint8Array | string, pattern: Uint8Array | string, size = MEGABYTE): Buffer {
  const head = Buffer.from(start as string, 'latin1');
  const unit = Buffer.from(pattern as string, 'latin1');
  const repeats = Math.ceil(Math.max(0, size - head.length) / unit.length);
  return Buffer.concat([head, ...Array.from({ length: repeats }, () => unit)]).subarray(0, size);
}

/** A box of an ISO base media file. */
function box(name: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, body]);
}

function avifWith(properties: Buffer): Buffer {
  const meta = box('meta', Buffer.alloc(4), box('iprp', box('ipco', properties)));
  return Buffer.concat([box('ftyp', Buffer.from('avif\0\0\0\0avif', 'latin1')), meta]);
}
const repeated = (part: Buffer) => filled('', part, MEGABYTE - (MEGABYTE % part.length));
const extent = (width: number, height: number) => {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(width, 4);
  bytes.writeUInt32BE(height, 8);
  return box('ispe', bytes);
};

/** Each causes quadratic time, an endless loop or a wrong size in some image parser. */
const MALFORMED: Record<string, Buffer> = {
  'a JPEG with invalid segment lengths': filled('\xff\xd8\xff\xe1', '\0\x01'),
  'a JPEG with a bad EXIF length': filled('\xff\xd8\xff\xe1\0\x08Exif\0\0MM\0*\0\0\0\x08', '\0\x02'),
  'a JPEG of empty segments': filled('\xff\xd8\xff\xe0', '\0\0'),
  'a JPEG of markers': filled('\xff\xd8\xff\xe0', '\0\x02\xff\xe0'),
  'a JPEG of zeros': filled('\xff\xd8\xff\xe0', '\0'),
  'a JPEG of 0xff': filled('\xff\xd8\xff', '\xff'),
  'a JPEG with 65,535 EXIF entries': filled(
    '\xff\xd8\xff\xe1\xff\xfeExif\0\0MM\0*\0\0\0\x08\xff\xff',
    '\0\x01',
  ),
  'a PNG without a header': filled('\x89PNG\r\n\x1a\n', 'IDAT'),
  'a PNG that is cut off': Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  'a WebP without content': filled('RIFF\xff\xff\xff\xffWEBPVP8X', '\xff'),
  'a GIF without content': Buffer.from('GIF89a'),
  'an AVIF of a hundred thousand boxes': avifWith(repeated(box('free'))),
  'an AVIF of many extents': avifWith(repeated(extent(0, 0))),
  'an AVIF of boxes without a size': filled(avifWith(Buffer.alloc(0)).subarray(0, 40), '\0\0\0\0'),
  'an AVIF whose boxes claim gigabytes': filled(box('ftyp', Buffer.from('avif')), '\xff\xff\xff\xffmeta'),
  'an SVG with repeated start tags': filled('<svg ', '<svg '),
  'an SVG with an unclosed quote': filled('<svg a="', "'x'"),
  'an SVG of attributes': filled('<svg ', ' width=" height='),
  'an SVG whose root tag never ends': filled('<svg x="1"', ' a=""'),
  'an SVG with infinite dimensions': Buffer.from(`<svg width="1e308" height="${'9'.repeat(400)}"></svg>`),
  'an SVG with a huge height': Buffer.from('<svg width="1" height="99999999999"></svg>'),
  'an SVG of comments': filled('<!--', '<svg <!--'),
  'a TIFF': filled('II*\0', '\x01\x01\x04\0'),
  'a TGA, which has no signature': filled('\0\0\x02\0', '\0'),
  'an icon of a thousand sizes': filled('\0\0\x01\0\xff\xff', '\x10\x10\0\0\x01\0 \0'),
  'an Apple icon': filled('icns\0\x10\0\0', 'ic07\0\0\0\x08'),
  'a JPEG 2000': filled('\0\0\0\fjP  \r\n\x87\n', '\0\0\0\x08jp2h'),
  'a JPEG XL': filled('\0\0\0\fJXL \r\n\x87\n', '\0\0\0\x08jxlp'),
  'only zeros': filled('', '\0'),
  'an empty file': Buffer.alloc(0),
};

/** Loads one entry per image and returns the dimensions of each, or undefined. */
async function loadDimensions(images: Readonly<Record<string, Buffer>>) {
  const names = Object.keys(images);
  const items = names.map((title, index) => {
    const url = `${ASSETS}/${index}`;
    return contentOf(index + 1, 'thing', { title, cover: { url, alt: '' } });
  });
  const service = serveItems(items);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    if (!url.startsWith(ASSETS)) return service(input, init);
    const bytes = images[names[Number(url.split('/').at(-1))] ?? ''] ?? Buffer.alloc(0);
    return new Response(new Uint8Array(bytes), { headers: { 'content-type': 'image/jpeg' } });
  };
  const space = defineSpace({
    ...connectionTo(fetch),
    assetsUrl: ASSETS,
    models: { thing: { title: field.text(), cover: field.media({ dimensions: true }) } },
  });
  const store = createLoaderContext();
  await space.loader('thing').load(store.context);
  return Object.fromEntries(
    store.entries().map(({ data }) => {
      const { width, height } = data.cover as { width?: number; height?: number };
      return [data.title as string, width === undefined ? undefined : `${width}x${height}`];
    }),
  );
}

describe('a malformed image costs a build only its dimensions', () => {
  // An unprotected parser took more than nine minutes for the slowest; together they take about a second.
  test.each(Object.keys(MALFORMED))('%s', async (name) => {
    const cpuSeconds = startCpuTimer();
    expect(await loadDimensions({ [name]: MALFORMED[name] as Buffer })).toEqual({ [name]: undefined });
    expect(cpuSeconds()).toBeLessThan(10);
  });
});

describe('a valid image has dimensions', () => {
  const valid: Record<string, Buffer> = {};
  beforeAll(async () => {
    const image = sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } });
    for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const)
      valid[format] = await image.clone().toFormat(format).toBuffer();
    valid.svg = Buffer.from('<?xml version="1.0"?><!-- drawn --><svg xmlns="x" viewBox="0 0 300 200"></svg>');
    valid['a JPEG on its side'] = await sharp({
      create: { width: 200, height: 300, channels: 3, background: 'teal' },
    })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
  });

  test('in every web format', async () => {
    const dimensions = await loadDimensions(valid);
    expect(Object.keys(dimensions)).toHaveLength(7);
    for (const [name, size] of Object.entries(dimensions)) expect(size, name).toBe('300x200');
  });

  test('also among malformed ones', async () => {
    const dimensions = await loadDimensions({ ...MALFORMED, valid: valid.jpeg as Buffer });
    expect(Object.entries(dimensions).filter(([, size]) => size !== undefined)).toEqual([
      ['valid', '300x200'],
    ]);
  });
});
