import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { startAstro } from './server.ts';
import { createSite, type Site } from './site.ts';

const space = (options = '') => `
  import { defineSpace, field } from 'astro-luid';
  export const space = defineSpace({
    ${options}
    models: {
      author: { name: field.text(), portrait: field.media() },
      article: {
        title: field.text(), slug: field.text(), cover: field.media({ dimensions: true }),
        body: field.flexibleText({ images: { width: 500 } }),
        note: field.flexibleText({ format: 'markdown', images: true }),
        author: field.reference('author'),
        sections: field.combination({
          hero: { image: field.media({ dimensions: true }), caption: field.text() },
          quote: { text: field.text() },
          rest: { text: field.text() },
        }),
      },
    },
  });`;

const FILES = {
  'astro.config.mjs': `
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    export default { integrations: [luid(space, { poll: false })] };`,
  'src/space.ts': space(),
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    export const collections = {
      articles: defineCollection({ loader: space.loader('article', { id: 'slug', body: 'body' }) }),
      notes: defineCollection({ loader: space.loader('article', { id: 'slug', body: 'note' }) }),
    };`,
  'src/Hero.astro': `---
    import { LuidPicture } from 'astro-luid/components';
    import type { Media } from 'astro-luid';
    interface Props { image: Media | null; caption: string }
    const { image, caption } = Astro.props;
    ---
    <figure><LuidPicture media={image} width={300} formats={['webp']} fallbackFormat="jpg" /><figcaption>{caption}</figcaption></figure>`,
  'src/Quote.astro': `---
    interface Props { text: string }
    ---
    <blockquote>{Astro.props.text}</blockquote>`,
  'src/pages/data.json.ts': `
    import { getCollection } from 'astro:content';
    export const GET = async () => Response.json(
      Object.fromEntries((await getCollection('articles')).map(({ id, data, digest }) => [id, { ...data, digest }])),
    );`,
  'src/pages/again.astro': `---
    import { getEntry } from 'astro:content';
    import { Blocks } from 'astro-luid/components';
    import Quote from '../Quote.astro';
    const article = await getEntry('articles', 'harbour-at-dusk');
    ---
    <Blocks blocks={article?.data.sections} components={{ quote: Quote }} /><Blocks blocks={null} components={{}} />`,
  'src/pages/index.astro': `---
    import { getEntry, render } from 'astro:content';
    import { Blocks, LuidImage, LuidPicture } from 'astro-luid/components';
    import Hero from '../Hero.astro';
    import Quote from '../Quote.astro';
    const article = await getEntry('articles', 'harbour-at-dusk');
    const note = await getEntry('notes', 'harbour-at-dusk');
    if (!article || !note) throw new Error('missing');
    const { Content } = await render(article);
    const { Content: Note } = await render(note);
    const bad = { url: 'javascript:alert(1)', alt: 'bad' };
    const portrait = article.data.author?.portrait;
    const drawing = portrait && { ...portrait, url: portrait.url.replace('.jpg', '.svg') };
    ---
    <html><head><title>x</title></head><body>
    <div id="none"><LuidImage media={null} width={10} /><LuidPicture media={undefined} /><LuidImage media={bad} /><LuidPicture media={bad} /></div>
    <LuidImage id="cover" media={article.data.cover} width={400} class="mine" style="color: red" />
    <LuidImage id="full" media={article.data.cover} layout="full-width" priority />
    <Blocks blocks={article.data.sections} components={{ hero: Hero, quote: Quote }} />
    <div id="converted">
      <LuidPicture media={portrait} />
      <LuidPicture media={portrait} height={90} />
      <LuidPicture media={portrait} width={90} height={80} fit="bounds" />
      <LuidPicture media={article.data.cover} layout="none" />
    </div>
    <div id="unconverted">
      <LuidPicture media={drawing} width={90} />
      <LuidPicture media={{ url: 'https://other.example/a.jpg', alt: '' }} width={90} />
    </div>
    <div id="body"><Content /></div>
    <div id="note"><Note /></div>
    </body></html>`,
};

let service: RunningEmulator;
let site: Site;

beforeAll(async () => {
  const { seed, directory } = smallSeed();
  const { models, contents } = seed as { models: { article: object }; contents: Record<string, never>[] };
  Object.assign(models.article, {
    note: { type: 'flexible_text' },
    sections: {
      type: 'combination',
      sets: {
        hero: { image: { type: 'media' }, caption: { type: 'text' } },
        quote: { text: { type: 'text' } },
        rest: { text: { type: 'text' } },
      },
    },
  });
  service = await startEmulator({ ...(seed as object), models, contents }, { directory });
  const picture = `<p>a</p><p><img src="${service.assetsUrl}/903/night-train.jpg" alt="夜"></p>`;
  const sections = [
    { luid: 'hero', fields: { image: 902, caption: '茶' } },
    { luid: 'rest', fields: { text: 'no component' } },
    { luid: 'quote', fields: { text: '夜は短い' } },
  ];
  service.contents.edit(301, { body: picture, note: picture, sections }, { lang: 'ja' });
  site = createSite(
    FILES,
    { LUID_BASE_URL: service.baseUrl, LUID_ASSETS_URL: service.assetsUrl, LUID_API_KEY: 'published-key' },
    ['sharp', '@astrojs/check'],
  );
});
afterAll(async () => {
  await service?.close();
  site?.remove();
});
afterEach(() => service.faults.clear());

const assetRequests = () =>
  service.log.filter(({ path }) => path.startsWith('/assets/')).map(({ path }) => path);

async function build(env: NodeJS.ProcessEnv = {}): Promise<string> {
  service.clearLog();
  // What Vitest sets would make a build show what is for development.
  return site.astro(['build'], { NODE_ENV: undefined, DEV: undefined, PROD: undefined, ...env });
}

/** An element of the built page, by its id. */
const part = (id: string) =>
  new RegExp(`<(\\w+)[^>]* id="${id}"[\\s\\S]*?(?:</\\1>|(?<=<img[^>]*)>)`).exec(
    site.built('index.html'),
  )?.[0] ?? '';

interface Data {
  digest: string;
  cover: { url: string; width?: number; height?: number };
  author: { portrait: { width?: number } };
  sections: { fields: { image?: { width?: number } } }[];
  body: string;
}
const article = () => site.json<Record<string, Data>>('data.json')['harbour-at-dusk'] as Data;

describe('a site with images', () => {
  let log: string;
  beforeAll(async () => {
    log = await build();
  });

  test('has dimensions for fields with `dimensions: true`, each read once', () => {
    expect(article().cover).toMatchObject({ width: 1600, height: 1000 });
    expect(article().sections[0]?.fields.image).toMatchObject({ width: 1600, height: 1000 });
    expect(article().author.portrait).not.toHaveProperty('width');
    expect(new Set(assetRequests())).toEqual(
      new Set(['/assets/901/harbour.jpg', '/assets/902/tea-field.jpg', '/assets/903/night-train.jpg']),
    );
    expect(assetRequests()).toHaveLength(3);
    expect(log).toContain('Read the dimensions of 3 images');
  });

  test('renders images with the attributes that the site sets', () => {
    const tag = part('cover');
    expect(tag).toMatch(/width="400" height="250"/);
    expect(tag).toMatch(/class="mine" style="color: red"/);
    expect(tag).toContain('?width=400&amp;format=webp"');
    expect(tag).toContain('loading="lazy"');
    const full = part('full');
    expect(full).toContain('sizes="100vw" width="1600" height="1000"');
    expect(full).toContain('1600w"');
    expect(full).toContain('fetchpriority="high"');
    expect(part('none').replaceAll(/\s/g, '')).toBe('<divid="none"></div>');
  });

  test('offers AVIF and WebP of every picture that the CDN converts, also without widths to choose from', () => {
    const inside = (id: string) =>
      new RegExp(`<div id="${id}">([\\s\\S]*?)</div>`)
        .exec(site.built('index.html'))?.[1]
        ?.split('</picture>') ?? [];
    const sources = (picture: string) =>
      [...picture.matchAll(/<source type="image\/(\w+)" srcset="[^"?]*\?([^"]*)">/g)].map(
        ([, type, query]) => `${type}: ${query?.replaceAll('&amp;', '&')}`,
      );
    expect(inside('converted').slice(0, -1).map(sources)).toEqual([
      ['avif: format=avif', 'webp: format=webp'],
      ['avif: height=90&format=avif', 'webp: height=90&format=webp'],
      ['avif: width=90&height=80&format=avif&fit=bounds', 'webp: width=90&height=80&format=webp&fit=bounds'],
      ['avif: width=1600&format=avif', 'webp: width=1600&format=webp'],
    ]);
    expect(inside('unconverted')).toHaveLength(3);
    expect(inside('unconverted').join()).not.toContain('<source');
  });

  test('renders blocks that have a component, in order, and warns about the others', () => {
    const html = site.built('index.html');
    expect(html).toMatch(
      /<figure><picture>\s*<source type="image\/webp"[\s\S]*<img [^>]*width=300&amp;format=jpg[\s\S]*<figcaption>茶<\/figcaption><\/figure>\s*<blockquote>夜は短い<\/blockquote>/,
    );
    expect(html).not.toContain('no component');
    expect(log.match(/no component for rest/g)).toHaveLength(1);
  });

  test('has responsive images in flexible texts, in data and in rendered bodies', () => {
    expect(article().body).toMatch(
      /<img width="500" height="313" srcset="[^"]* 1000w" sizes="[^"]*" loading="lazy"/,
    );
    expect(part('body')).toMatch(/<img width="500" height="313" srcset="[^"]* 1000w"/);
    const note = part('note');
    expect(note).toMatch(/srcset="[^"]*903\/night-train\.jpg\?[^"]* 1600w"/);
    expect(note).toMatch(/width="1600"/);
    expect(note).toMatch(/loading="lazy"/);
    expect(note).toMatch(/alt="夜"/);
  });

  test('sends no JavaScript', () => {
    expect(site.built('index.html')).not.toContain('<script');
  });

  test('requests no image when it is built again, with or without Astro’s own cache', async () => {
    const { digest } = article();
    await build();
    expect(assetRequests()).toEqual([]);
    await site.astro(['sync', '--force']);
    expect(assetRequests()).toEqual([]);
    await build();
    expect(assetRequests()).toEqual([]);
    expect(article()).toMatchObject({ digest, cover: { width: 1600 } });
  });

  test('type-checks: components know their fields', async () => {
    await site.astro(['check']);
    const page = site.source('src/pages/index.astro');
    const wrong = async (from: string, to: string) => {
      site.write({ 'src/pages/index.astro': page.replace(from, to) });
      return site.astro(['check']).then(
        () => 'nothing',
        (error: Error) => error.message,
      );
    };
    try {
      expect(await wrong('hero: Hero, quote: Quote', 'hero: Quote, quote: Quote')).toContain(
        "'text' is missing",
      );
      expect(await wrong('quote: Quote', 'qoute: Quote')).toContain("'qoute' does not exist");
      expect(await wrong('layout="full-width"', 'layout="wide"')).toContain('"wide"');
    } finally {
      site.write({ 'src/pages/index.astro': page });
    }
  });
});

describe('dimensions that cannot be read', () => {
  test('are missing with a warning, and are read by the next build', async () => {
    service.contents.edit(301, { cover: 911 }, { lang: 'ja' });
    service.faults.add({ kind: { status: 404 }, match: ({ path }) => path.includes('/911/'), times: 1 });
    const log = await build();
    expect(log).toMatch(/1 image has no dimensions[\s\S]*911\/mori\.jpg responded with 404/);
    expect(article().cover).not.toHaveProperty('width');
    const { digest } = article();
    await build();
    expect(assetRequests()).toEqual(['/assets/911/mori.jpg']);
    expect(article().cover).toMatchObject({ width: 600, height: 600 });
    expect(article().digest).not.toBe(digest);
  });

  test('are not requested offline', async () => {
    service.contents.edit(301, { cover: 912 }, { lang: 'ja' });
    service.faults.add({ kind: { status: 404 }, match: ({ path }) => path.startsWith('/assets/'), times: 9 });
    await build();
    await build({ LUID_OFFLINE: '1' });
    expect(service.log).toEqual([]);
    expect(article().cover.url).toContain('912');
    expect(article().cover).not.toHaveProperty('width');
  });

  test('are never requested outside of the assets URL', async () => {
    const text =
      '<img src="http://169.254.169.254/latest"><img src="/x.jpg"><img src="https://assets.example.evil/a.jpg">';
    service.contents.edit(301, { body: text, cover: 901 }, { lang: 'ja' });
    const log = await build();
    expect(log).not.toContain('no dimensions');
    expect(article().body).toBe(text);
  });
});

test('one option reads the dimensions of all images', async () => {
  site.write({ 'src/space.ts': space('dimensions: true,') });
  await build();
  expect(article().author.portrait).toMatchObject({ width: 600 });
  site.write({ 'src/space.ts': space() });
});

test('astro dev shows where a block has no component', async () => {
  const env = {
    LUID_BASE_URL: service.baseUrl,
    LUID_ASSETS_URL: service.assetsUrl,
    LUID_API_KEY: 'published-key',
  };
  const server = await startAstro(['dev', '--ignore-lock'], site.folder, env);
  try {
    const page = await server.page('/');
    expect(page).toMatch(/role="alert"[^>]*>[\s\S]*No component for <code[^>]*>rest<\/code>/);
    expect(page).toContain('夜は短い');
  } finally {
    await server.close();
  }
});
