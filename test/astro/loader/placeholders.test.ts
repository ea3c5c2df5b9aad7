import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LazyLiveSource } from '../../../src/astro/live/lazy-live-source.ts';
import { liveSources } from '../../../src/astro/live/live-sources.ts';
import { type RunningEmulator, type Seed, startEmulator } from '../../../src/emulator/index.ts';
import { defineSpace, field } from '../../../src/index.ts';
import { disc, landscape } from '../../images/drawn-images.ts';
import { createTestLoader } from './test-loader.ts';

const PAGE = { title: field.text({ title: true }), next: field.reference('page') };
const MODELS = {
  page: {
    ...PAGE,
    cover: field.media({ placeholder: true }),
    body: field.flexibleText({ images: { placeholder: true } }),
  },
};

let directory: string;
let files: string[];
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'astro-luid-placeholders-'));
  const save = async (image: Sharp, name: string) => void (await image.toFile(join(directory, name)));
  const write = (name: string, bytes: Uint8Array | string) => writeFileSync(join(directory, name), bytes);
  await save(landscape().jpeg(), 'landscape.jpg');
  await save(landscape(600, 900).webp(), 'upright.webp');
  await save(disc().png(), 'disc.png');
  await save(landscape(2000, 3).avif(), 'line.avif');
  await save(landscape(1, 1).png(), 'dot.png');
  await save(landscape().jpeg(), 'wrong-type.png.jpg');
  const frames = [landscape(60, 40), disc(60, 40)].map((image) => image.png().toBuffer());
  const animated = () => Promise.all(frames).then((input) => sharp(input, { join: { animated: true } }));
  await save((await animated()).gif(), 'animated.gif');
  await save((await animated()).webp(), 'animated.webp');
  write(
    'drawing.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><rect width="3" height="2"/></svg>',
  );
  write('text.jpg', 'not an image');
  write('empty.jpg', '');
  const jpeg = await landscape().jpeg().toBuffer();
  write('header.jpg', jpeg.subarray(0, 300));
  write('bomb.png', hugePng(30_000));
  write('no-size.png', hugePng(0));
  write('film.mp4', '\0\0\0\x20ftypisom');
  files = [
    ...['landscape.jpg', 'upright.webp', 'disc.png', 'line.avif', 'dot.png', 'wrong-type.png.jpg'],
    ...['animated.gif', 'animated.webp', 'drawing.svg', 'text.jpg', 'empty.jpg', 'header.jpg'],
    ...['bomb.png', 'no-size.png', 'film.mp4'],
  ];
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A PNG whose header claims this many pixels per side. */
function hugePng(side: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(side);
  header.writeUInt32BE(side, 4);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const data = chunk('IDAT', deflateSync(Buffer.alloc(1_000_000)));
  return Buffer.concat([signature, chunk('IHDR', header), data, chunk('IEND', Buffer.alloc(0))]);
}

let service: RunningEmulator;
let assetRequests: string[];
/** Replaces the response of the asset service. */
let respond: ((path: string) => Response | undefined) | undefined;
beforeEach(async () => {
  service = await startService([1]);
  assetRequests = [];
  respond = undefined;
});
afterEach(() => service.close());

/** One page per media, with this media as its cover. */
function startService(covers: readonly number[]): Promise<RunningEmulator> {
  const seed = {
    languages: { main: 'ja', sub: [] },
    keys: [{ key: 'published-key', reads: 'published' }],
    models: { page: { ...MODELS.page, note: field.flexibleText() } },
    media: files.map((file, index) => ({ id: index + 1, file, alt: { ja: file } })),
    contents: covers.map((cover) => ({
      id: 100 + cover,
      model: 'page',
      created_at: '2026-01-01T00:00:00Z',
      published: { ja: { title: files[cover - 1], cover } },
    })),
  };
  return startEmulator(seed as unknown as Seed, { directory, rateLimit: false });
}

const idOf = (file: string) => files.indexOf(file) + 1;
const urlOf = (file: string) => `${service.assetsUrl}/${idOf(file)}/${file}`;

function createLoader() {
  const loader = createTestLoader(service);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    if (!url.startsWith(service.assetsUrl)) return globalThis.fetch(input, init);
    const path = url.slice(service.assetsUrl.length);
    assetRequests.push(path);
    return respond?.(path) ?? globalThis.fetch(input, init);
  };
  const space = { assetsUrl: service.assetsUrl, fetch };
  return {
    ...loader,
    /** A build in a new process, which shares the cache and the store with the earlier ones. */
    build: (models: object = MODELS, options: { loader?: object; space?: object } = {}) =>
      loader.load('page', { models, loader: options.loader ?? {}, space: { ...space, ...options.space } }),
    cover: (id: string) => loader.data(id)?.cover as Record<string, unknown> | null | undefined,
    digests: () => loader.context.store.values().map(({ id, digest }) => `${id} ${digest}`),
  };
}

const SMALL = '?width=32&height=32&format=png&fit=bounds';
const placeholder = {
  thumbHash: expect.stringMatching(/^[\w+/]+=*$/),
  color: expect.stringMatching(/^#[\da-f]{6}$/),
  hasAlpha: false,
};

describe('the placeholder of an asset', () => {
  test('is requested once for ever, and once per new asset', async () => {
    const { build, cover } = createLoader();
    const lines = await build();
    expect(cover('101')).toEqual({
      url: urlOf('landscape.jpg'),
      alt: 'landscape.jpg',
      placeholder: { ...placeholder, color: '#9cd3f2' },
    });
    expect(lines).toContain('Read the placeholders of 1 image');
    expect(assetRequests).toEqual([`/1/landscape.jpg${SMALL}`]);

    service.contents.edit(101, { title: 'Edited' });
    await build();
    expect(cover('101')).toMatchObject({ placeholder });
    expect(assetRequests).toHaveLength(1);

    service.contents.edit(101, { cover: idOf('upright.webp') });
    await build();
    expect(assetRequests.slice(1)).toEqual([`/2/upright.webp${SMALL}`]);
    expect(cover('101')).toMatchObject({ url: urlOf('upright.webp'), placeholder });
  });

  test('is shared by fields, texts, entries and collections', async () => {
    const image = `<img src="${urlOf('landscape.jpg')}?width=800" alt="">`;
    service.contents.edit(101, { body: image + image });
    service.contents.create({ model: 'page', published: { ja: { title: 'Two', cover: 1 } } });
    const { build, context } = createLoader();
    await build();
    const small = assetRequests.filter((path) => path.endsWith(SMALL));
    expect(small).toEqual([`/1/landscape.jpg${SMALL}`]);
    expect(context.store.keys()).toHaveLength(2);
  });

  test('is in the images of a text, also of a body in Markdown', async () => {
    const attribute = / data-luid-placeholder="(?:[a-zZ][\dA-F]){27}"/g;
    const images = ['landscape.jpg', 'disc.png', 'text.jpg'].map((file) => urlOf(file));
    service.contents.edit(101, {
      body: images.map((url) => `<img src="${url}" alt="">`).join(''),
      note: images.map((url) => `<p><img src="${url}" alt="x"></p>`).join(''),
    });
    const { build, data, context } = createLoader();
    await build();
    expect(String(data('101')?.body).match(attribute)).toHaveLength(1);
    const note = field.flexibleText({ format: 'markdown', images: { placeholder: true } });
    await build({ page: { ...PAGE, note } }, { loader: { body: 'note' } });
    const html = context.store.get('101')?.rendered?.html ?? '';
    expect(html.match(attribute)).toHaveLength(1);
    expect(html.match(/<img/g)).toHaveLength(3);
  });

  test('is not made of a sanitized text, which cannot set one itself', async () => {
    const forged = `<img src="https://other.example/a.jpg" data-luid-placeholder="a0">`;
    service.contents.edit(101, { body: `${forged}<img src="${urlOf('landscape.jpg')}">` });
    const body = field.flexibleText({ images: { placeholder: true }, sanitize: true });
    const { build, data } = createLoader();
    await build({ page: { ...PAGE, body } });
    expect(String(data('101')?.body).match(/data-luid-placeholder/g)).toHaveLength(1);
  });

  test('is part of the digest, and a later build finds what an earlier one did not', async () => {
    const { build, cover, digests } = createLoader();
    respond = () => new Response(null, { status: 503 });
    const lines = await build();
    expect(cover('101')).toMatchObject({ placeholder: null });
    expect(lines.filter((line) => line.includes('placeholder'))).toEqual([
      `1 image has no placeholder; the next build retries those that could not be reached:\n  ${urlOf('landscape.jpg')} responded with 503`,
    ]);
    const before = digests();
    respond = undefined;
    await build();
    expect(cover('101')).toMatchObject({ placeholder });
    expect(digests()).not.toEqual(before);
  });

  test('is part of the digest of a body in Markdown', async () => {
    const note = field.flexibleText({ format: 'markdown', images: { placeholder: true } });
    service.contents.edit(101, { note: `<p><img src="${urlOf('landscape.jpg')}" alt="x"></p>` });
    const { build, context } = createLoader();
    const html = () => context.store.get('101')?.rendered?.html;
    respond = (path) => (path.endsWith(SMALL) ? new Response(null, { status: 503 }) : undefined);
    await build({ page: { ...PAGE, note } }, { loader: { body: 'note' } });
    expect(html()).toMatch(/^(?!.*luid-placeholder).*<img/s);
    respond = undefined;
    await build({ page: { ...PAGE, note } }, { loader: { body: 'note' } });
    expect(html()).toContain('data-luid-placeholder');
  });

  test('of embedded content and after an edit is what a build from nothing makes', async () => {
    const second = service.contents.create({
      model: 'page',
      published: { ja: { title: 'Two', cover: 2, next: 101 } },
    });
    const { build, context, digests } = createLoader();
    const options = { loader: { depth: 1 } };
    await build(MODELS, options);
    service.contents.edit(101, { cover: idOf('disc.png') });
    await build(MODELS, options);
    const fresh = createLoader();
    await fresh.build(MODELS, options);
    expect(context.store.values()).toEqual(fresh.context.store.values());
    expect(digests()).toEqual(fresh.digests());
    expect(context.store.get(String(second))?.data).toMatchObject({
      cover: { placeholder },
      next: { cover: { placeholder: { hasAlpha: true } } },
    });
  });

  test('is added by a build that starts to use the option, and removed by one that stops', async () => {
    const { build, cover } = createLoader();
    const plain = { page: { ...PAGE, cover: field.media() } };
    await build(plain);
    expect(cover('101')).toEqual({ url: urlOf('landscape.jpg'), alt: 'landscape.jpg' });
    expect(assetRequests).toEqual([]);
    await build();
    expect(cover('101')).toMatchObject({ placeholder });
    await build(plain);
    expect(cover('101')).not.toHaveProperty('placeholder');
    expect(assetRequests).toHaveLength(1);
  });

  test('does not need another request for the dimensions of a file that is not there', async () => {
    const { build, cover } = createLoader();
    respond = () => new Response(null, { status: 404 });
    const both = { page: { ...PAGE, cover: field.media({ dimensions: true, placeholder: true }) } };
    const lines = await build(both);
    expect(assetRequests).toEqual(['/1/landscape.jpg']);
    expect(lines.filter((line) => line.includes('responded with 404'))).toHaveLength(1);
    expect(cover('101')).toMatchObject({ placeholder: null });
    respond = undefined;
    await build(both);
    expect(cover('101')).toMatchObject({ width: 900, height: 600, placeholder });
  });

  test('is null without an assets URL, offline, and for media of other sites', async () => {
    const { build, cover } = createLoader();
    process.env.LUID_OFFLINE = '1';
    try {
      await build(MODELS).catch(() => {});
    } finally {
      delete process.env.LUID_OFFLINE;
    }
    expect(assetRequests).toEqual([]);
    const lines = await build(MODELS, { space: { assetsUrl: undefined } });
    expect(lines.join('\n')).toContain('Images have no dimensions and no placeholders, because the URL');
    expect(cover('101')).toMatchObject({ placeholder: null });
    const elsewhere = createLoader();
    await elsewhere.build(MODELS, { space: { assetsUrl: 'https://other.example/media' } });
    expect(elsewhere.cover('101')).toMatchObject({ placeholder: null });
    expect(assetRequests).toEqual([]);
  });
});

test('hostile and unusual assets are safe: no failed build, one warning, no second request', async () => {
  await service.close();
  service = await startService(files.map((_, index) => index + 1));
  const { build, cover } = createLoader();
  const lines = await build();
  const found = Object.fromEntries(files.map((file) => [file, cover(String(100 + idOf(file)))?.placeholder]));
  expect(found).toEqual({
    'landscape.jpg': placeholder,
    'upright.webp': placeholder,
    'disc.png': { ...placeholder, hasAlpha: true, color: '#6a1fb0' },
    'line.avif': placeholder,
    'dot.png': placeholder,
    'wrong-type.png.jpg': placeholder,
    'animated.gif': null,
    'animated.webp': null,
    'drawing.svg': null,
    'text.jpg': null,
    'empty.jpg': null,
    'header.jpg': null,
    'bomb.png': null,
    'no-size.png': null,
    'film.mp4': null,
  });
  const warnings = lines.filter((line) => line.includes('no placeholder'));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/^9 images have no placeholder; .*and 4 more$/s);
  expect(assetRequests.filter((path) => /svg|gif/.test(path))).toEqual([]);

  assetRequests = [];
  service.contents.edit(101, { title: 'Edited' });
  const again = await build();
  expect(assetRequests).toEqual([]);
  expect(again.join('\n')).not.toContain('no placeholder');
});

test('responses that an asset service never sends are safe too', async () => {
  const endless = () =>
    new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
  const large = await landscape(200, 100).png().toBuffer();
  const responses: [string, () => Response][] = [
    ['an endless response', () => new Response(endless())],
    ['a PNG that is larger than requested', () => new Response(new Uint8Array(large))],
    ['a PNG that claims gigapixels', () => new Response(new Uint8Array(hugePng(2 ** 31 - 1)))],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:1/' } })],
  ];
  for (const [name, response] of responses) {
    const { build, cover } = createLoader();
    respond = response;
    const lines = await build();
    expect(cover('101'), name).toMatchObject({ placeholder: null });
    expect(
      lines.filter((line) => line.startsWith('1 image has no placeholder')),
      name,
    ).toHaveLength(1);
  }
});

describe('a live collection', () => {
  afterEach(() => {
    for (const source of liveSources().all()) (source as LazyLiveSource).close();
  });
  const open = () =>
    defineSpace({
      baseUrl: service.baseUrl,
      assetsUrl: service.assetsUrl,
      apiKey: 'published-key',
      cache: { dir: join(directory, 'cache') },
      models: MODELS,
    });
  const request = { filter: { id: '101' }, collection: 'pages' };

  test('from the replica has the placeholders of a build', async () => {
    const { build, cover } = createLoader();
    await build();
    const entry = await open().liveLoader('page').loadEntry(request);
    expect(entry).toMatchObject({ data: { cover: cover('101') } });
    expect(cover('101')).toMatchObject({ placeholder });
  });

  test('from the service has none', async () => {
    const entry = await open().liveLoader('page', { from: 'service' }).loadEntry(request);
    expect(entry).toMatchObject({ data: { cover: { url: urlOf('landscape.jpg'), placeholder: null } } });
  });
});
