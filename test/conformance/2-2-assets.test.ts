import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { directory } from './conformance-seed.ts';
import { errorBody, startServer } from './http.ts';
import { createImage, describeImage } from './test-images.ts';
import { createWriter } from './write-requests.ts';

const server = startServer({ rateLimit: false });
const { request, readItem } = server;
const { create, uploadMedia } = createWriter(server);

/** Where an uploaded file is served. */
async function urlOf(file: Uint8Array | string, name: string): Promise<string> {
  const portrait = await uploadMedia(file, name);
  const id = await create('author', { fields: { portrait } });
  return ((await readItem(id, '', 'all')).portrait as { url: string }).url;
}

let wide: string;
let tall: string;
beforeAll(async () => {
  wide = await urlOf(await createImage(120, 60), 'wide.png');
  tall = await urlOf(await createImage(60, 120, 'jpeg'), 'tall.jpg');
});

async function shown(url: string): Promise<{ header: string; type: string | null }> {
  const response = await fetch(url);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(response.status, `${url}: ${Buffer.from(bytes.subarray(0, 100))}`).toBe(200);
  return { header: await describeImage(bytes), type: response.headers.get('content-type') };
}
const size = async (url: string) => (await shown(url)).header.split(' ')[0];

describe('size', () => {
  it('§2.2 width sets the width, and the height keeps the aspect ratio', async () => {
    expect(await size(`${wide}?width=60`)).toBe('60x30');
    expect(await size(`${tall}?width=30`)).toBe('30x60');
  });

  it('§2.2 height sets the height, and the width keeps the aspect ratio', async () => {
    expect(await size(`${wide}?height=20`)).toBe('40x20');
    expect(await size(`${tall}?height=20`)).toBe('10x20');
  });

  it('§2.2 width and height without fit keep the aspect ratio and fit into the box', async () => {
    expect(await size(`${wide}?width=60&height=60`)).toBe('60x30');
    expect(await size(`${tall}?width=60&height=60`)).toBe('30x60');
  });

  it('§2.2 fit=bounds keeps the aspect ratio and fits into the box', async () => {
    expect(await size(`${wide}?width=60&height=60&fit=bounds`)).toBe('60x30');
    expect(await size(`${tall}?width=50&height=60&fit=bounds`)).toBe('30x60');
  });

  it('§2.2 fit=cover keeps the aspect ratio and covers the box', async () => {
    expect(await size(`${wide}?width=40&height=40&fit=cover`)).toBe('80x40');
    expect(await size(`${tall}?width=40&height=40&fit=cover`)).toBe('40x80');
  });

  it('§2.2 fit=crop returns exactly the requested size', async () => {
    expect(await size(`${wide}?width=37&height=41&fit=crop`)).toBe('37x41');
    expect(await size(`${tall}?width=41&height=37&fit=crop`)).toBe('41x37');
  });

  it('§2.2 fit has an effect only with width and height', async () => {
    for (const fit of ['bounds', 'cover', 'crop']) {
      expect(await size(`${wide}?width=60&fit=${fit}`), fit).toBe('60x30');
      expect(await size(`${tall}?fit=${fit}`), fit).toBe('60x120');
    }
  });

  it('§2.2 EXIF rotation is applied before the size is computed', async () => {
    const turned = await sharp(await createImage(120, 60, 'jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const url = await urlOf(new Uint8Array(turned), 'turned.jpg');
    expect(await size(`${url}?width=30`)).toBe('30x60');
    expect(await size(`${url}?width=30&height=30&fit=crop`)).toBe('30x30');
  });

  it('§2.2 one side alone does not enlarge the image', async () => {
    expect(await size(`${wide}?width=500`)).toBe('120x60');
    expect(await size(`${tall}?height=500`)).toBe('60x120');
  });

  it('§2.2 both sides may enlarge', async () => {
    expect(await size(`${wide}?width=240&height=240&fit=crop`)).toBe('240x240');
    expect(await size(`${wide}?width=240&height=240&fit=cover`)).toBe('480x240');
    expect(await size(`${wide}?width=240&height=240&fit=bounds`)).toBe('240x120');
  });
});

describe('format', () => {
  it('§2.2 format re-encodes the image and sets the content type', async () => {
    for (const [format, header, type] of [
      ['webp', 'webp', 'image/webp'],
      ['png', 'png', 'image/png'],
      ['jpg', 'jpeg', 'image/jpeg'],
      ['jpeg', 'jpeg', 'image/jpeg'],
      ['pjpg', 'jpeg', 'image/jpeg'],
      ['avif', 'avif', 'image/avif'],
    ] as const) {
      expect(await shown(`${wide}?format=${format}`), format).toEqual({ header: `120x60 ${header}`, type });
      expect(await shown(`${tall}?format=${format}&width=30`), format).toEqual({
        header: `30x60 ${header}`,
        type,
      });
    }
  });

  it('§2.2 without format the image keeps its format', async () => {
    expect(await shown(`${wide}?width=60`)).toEqual({ header: '60x30 png', type: 'image/png' });
    expect(await shown(`${tall}?width=30`)).toEqual({ header: '30x60 jpeg', type: 'image/jpeg' });
    const webp = await urlOf(await createImage(20, 10, 'webp'), 'small.webp');
    expect(await shown(`${webp}?width=10`)).toEqual({ header: '10x5 webp', type: 'image/webp' });
  });

  it('§2.2 without parameters the file is served byte for byte', async () => {
    const bytes = await createImage(33, 44, 'jpeg');
    const url = await urlOf(bytes, 'as-is.jpg');
    for (const query of ['', '?', '?v=1']) {
      const response = await fetch(url + query);
      expect(new Uint8Array(await response.arrayBuffer()), query).toEqual(bytes);
    }
  });
});

describe('files that are not resized', () => {
  const query = '?width=10&height=10&format=webp&fit=crop';

  it('§2.2 svg is served unchanged', async () => {
    const response = await fetch(`${server.emulator.assetsUrl}/902/dot.svg${query}`);
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(await response.text()).toBe(await readFile(`${directory}dot.svg`, 'utf8'));
  });

  it('§2.2 gif is served unchanged', async () => {
    const gif = await createImage(30, 30, 'gif');
    const response = await fetch((await urlOf(gif, 'moving.gif')) + query);
    expect(response.headers.get('content-type')).toBe('image/gif');
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(gif);
  });

  it('§2.2 files that are not images are served unchanged', async () => {
    for (const name of ['paper.pdf', 'data.bin', 'none']) {
      const response = await fetch((await urlOf('no picture', name)) + query);
      expect(response.status, name).toBe(200);
      expect(await response.text(), name).toBe('no picture');
    }
  });
});

describe('caching', () => {
  it('§2.2 responses have cache-control, an ETag and a content type', async () => {
    const response = await fetch(`${wide}?width=50`);
    await response.arrayBuffer();
    expect(response.headers.get('cache-control')).toMatch(/max-age=\d{6,}/);
    expect(response.headers.get('etag')).toMatch(/^(W\/)?".+"$/);
  });

  it('§2.2 a matching If-None-Match is a 304', async () => {
    const first = await fetch(`${wide}?width=50`);
    const etag = first.headers.get('etag') ?? '';
    await first.arrayBuffer();
    const second = await fetch(`${wide}?width=50`, { headers: { 'if-none-match': etag } });
    expect(second.status).toBe(304);
    expect(await second.text()).toBe('');
    const other = await fetch(`${wide}?width=51`, { headers: { 'if-none-match': etag } });
    expect(other.status).toBe(200);
    await other.arrayBuffer();
  });

  it('§2.2 HEAD returns type and length', async () => {
    const whole = await fetch(`${wide}?width=50&format=webp`);
    const { byteLength } = await whole.arrayBuffer();
    const head = await fetch(`${wide}?width=50&format=webp`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toBe('image/webp');
    expect(head.headers.get('content-length')).toBe(String(byteLength));
  });

  it('§2.2 the same parameters give the same bytes, also in parallel', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const response = await fetch(`${wide}?width=44&format=avif`);
        return Buffer.from(await response.arrayBuffer()).toString('base64');
      }),
    );
    expect(new Set(responses).size).toBe(1);
  });
});

describe('access to assets', () => {
  it('§2.2 assets need no key and are not counted', async () => {
    const response = await fetch(`${wide}?width=10`);
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    expect(server.emulator.log.at(-1)).toMatchObject({ method: 'GET', status: 200, counted: false });
  });

  it('§2.2 invalid parameters are errors in the format of §7', async () => {
    for (const query of [
      'width=0',
      'width=-5',
      'width=1.5',
      'width=x',
      'height=99999',
      'width=1e3',
      'width=9999999999999999999',
      'format=exe',
      'format=__proto__',
      'width=10&height=10&fit=nope',
    ]) {
      const response = await fetch(`${wide}?${query}`);
      expect(response.status, query).toBe(400);
      expect(await response.json(), query).toEqual(errorBody(400));
    }
  });

  it('§2.2 unknown assets are not found', async () => {
    const { assetsUrl } = server.emulator;
    for (const path of [
      '/900/other.png',
      '/999999/wide.png',
      '/901/wide.png',
      '/900',
      '/',
      '/900/wide.png/x',
    ]) {
      const response = await fetch(`${assetsUrl}${path}`);
      expect(response.status, path).toBe(404);
      await response.arrayBuffer();
    }
  });

  it('§2.2 assets are not written', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(wide, { method });
      expect(response.status, method).toBeGreaterThanOrEqual(400);
      await response.arrayBuffer();
    }
    expect((await request('/contents?limit=1')).status).toBe(200);
  });
});
