import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { smallSeed } from '../../fixtures/small-space.ts';
import { inspectImage } from '../../images/test-images.ts';
import { run } from '../../support/run-command.ts';
import { startServer } from './image-server.ts';

/** A site's space, and another host that it uses pictures of. */
export interface Services {
  readonly space: RunningEmulator;
  readonly other: RunningEmulator;
  close(): Promise<void>;
}

export async function startServices(): Promise<Services> {
  const { seed, directory } = smallSeed();
  const space = await startEmulator(seed, { directory });
  const other = await startEmulator(seed, { directory });
  return {
    space,
    other,
    async close() {
      await space.close();
      await other.close();
    },
  };
}

/** Pictures of the space, of this site and of another host, in everything that Astro shows pictures with. */
const filesOf = (ours: string, other: string, server: boolean) => ({
  'astro.config.mjs': `
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    ${server ? "import node from '@astrojs/node';" : ''}
    export default {
      integrations: [luid(space)],
      image: { remotePatterns: [{ pathname: '/assets/**', port: '${new URL(other).port}' }] },
      ${server ? "output: 'server', adapter: node({ mode: 'standalone' })," : ''}
    };`,
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    export const space = defineSpace({ models: { article: { title: field.text() } } });`,
  'src/pages/index.astro': `---
    import { Image, Picture } from 'astro:assets';
    import local from '../local.jpg';
    const ours = '${ours}/901/harbour.jpg';
    ---
    <html><head><title>x</title></head><body>
    <Image id="plain" src={ours} width={300} height={200} alt="plain" />
    <Image id="kept" src={ours + '?v=2#a'} width={300} height={300} fit="contain" format="png" alt="kept" />
    <Image id="inferred" src={ours} inferSize alt="inferred" />
    <Image id="layout" src={ours} layout="constrained" width={400} height={250} alt="layout" />
    <Image id="whole" src={ours} layout="full-width" inferSize alt="whole" />
    <Image id="dense" src={ours} width={100} height={100} densities={[1, 2]} alt="dense" />
    <Image id="tall" src={ours} width={1200} height={10000} alt="tall" />
    <Image id="narrow" src={ours} layout="full-width" width={600} height={2000} alt="narrow" />
    <Picture id="picture" src={ours} layout="constrained" width={400} height={250} formats={['avif', 'webp']} alt="picture" />
    <Picture id="sized" src={ours} inferSize formats={['avif']} alt="sized" />
    <Image id="local" src={local} width={200} alt="local" />
    <Image id="other" src="${other}/902/tea-field.jpg" width={150} height={100} alt="other" />
    <Image id="foreign" src="https://not.allowed.example/a.jpg" width={150} height={100} alt="foreign" />
    </body></html>`,
  'src/pages/note.md': `![in Markdown](${ours}/903/night-train.jpg)\n\n![local](../local.jpg)\n`,
});

/** Writes the site into a folder that has its packages already. */
export function writeSite(folder: string, { space, other }: Services, server: boolean): void {
  const files = filesOf(space.assetsUrl, other.assetsUrl, server);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  cpSync(join(smallSeed().directory, 'media/mori.jpg'), join(folder, 'src/local.jpg'));
}

/** A tag as the page has it: its attributes by name. */
function tag(html: string, mark: string): Record<string, string> {
  const [text = ''] = new RegExp(`<img[^>]*${mark}[^>]*>`).exec(html) ?? [];
  const pairs = [...text.matchAll(/([\w-]+)="([^"]*)"/g)];
  return Object.fromEntries(
    pairs.map(([, name = '', value = '']) => [name, value.replaceAll(/&(amp|#38);/g, '&')]),
  );
}

function sourcesOf(html: string, id: string): string[] {
  const [, inner = ''] = new RegExp(`<picture[^>]*>((?:(?!</picture>)[\\s\\S])*id="${id}")`).exec(html) ?? [];
  return [...inner.matchAll(/<source[^>]*srcset="([^"]*)"/g)].map(([, srcset = '']) =>
    srcset.replaceAll(/&(amp|#38);/g, '&'),
  );
}

/** What an offer leads to is what it promises. */
async function checkOffers(services: Services, srcset: string, shape: number, format: string): Promise<void> {
  const offers = srcset.split(', ').map((offer) => offer.split(' '));
  expect(offers.length).toBeGreaterThan(1);
  for (const [url = '', promise = ''] of offers) {
    expect(url.startsWith(`${services.space.assetsUrl}/`)).toBe(true);
    const width = Number.parseInt(promise, 10);
    expect({ url, ...(await inspectImage(await (await fetch(url)).arrayBuffer())) }).toEqual({
      url,
      width,
      height: Math.round(width * shape),
      format,
    });
  }
}

const sizeRequests = (services: Services) =>
  services.space.log.filter(({ path }) => path.startsWith('/assets/')).length;

/** Everything that holds in every kind of site. */
async function checkPictures(services: Services, html: string): Promise<void> {
  const ours = `${services.space.assetsUrl}/901/harbour.jpg`;
  expect(tag(html, 'id="plain"')).toMatchObject({
    src: `${ours}?width=300&height=200&format=webp&fit=crop`,
    ...{ width: '300', height: '200', alt: 'plain', loading: 'lazy' },
  });
  expect(tag(html, 'id="kept"').src).toBe(`${ours}?v=2&width=300&height=300&format=png&fit=bounds#a`);
  expect(tag(html, 'id="inferred"')).toMatchObject({
    src: `${ours}?width=1600&height=1000&format=webp&fit=crop`,
    ...{ width: '1600', height: '1000' },
  });
  const layout = tag(html, 'id="layout"');
  expect(layout.sizes).toBe('(min-width: 400px) 400px, 100vw');
  await checkOffers(services, layout.srcset ?? '', 250 / 400, 'webp');
  await checkOffers(services, tag(html, 'id="whole"').srcset ?? '', 1000 / 1600, 'webp');
  expect(tag(html, 'id="dense"').srcset).toBe(
    `${ours}?width=100&height=100&format=webp&fit=crop 1x, ${ours}?width=200&height=200&format=webp&fit=crop 2x`,
  );
  // The CDN returns no image above 8192 pixels.
  expect(tag(html, 'id="tall"')).toMatchObject({
    src: `${ours}?width=983&height=8192&format=webp&fit=crop`,
    ...{ width: '1200', height: '10000' },
  });
  const narrow = tag(html, 'id="narrow"').srcset ?? '';
  expect(narrow).toContain(`${ours}?width=2048&height=6827&format=webp&fit=crop 2048w`);
  expect(narrow).toContain(`${ours}?width=2458&height=8192&format=webp&fit=crop`);
  const [avif = '', webp = ''] = sourcesOf(html, 'picture');
  await checkOffers(services, avif, 250 / 400, 'avif');
  await checkOffers(services, webp, 250 / 400, 'webp');
  await checkOffers(services, tag(html, 'id="picture"').srcset ?? '', 250 / 400, 'png');
  expect(sourcesOf(html, 'sized')).toEqual([`${ours}?width=1600&height=1000&format=avif&fit=crop`]);
  expect(tag(html, 'id="foreign"').src).toBe('https://not.allowed.example/a.jpg');
}

function checkMarkdown(services: Services, html: string): void {
  expect(tag(html, 'in Markdown')).toMatchObject({
    src: `${services.space.assetsUrl}/903/night-train.jpg?width=1600&height=1000&format=webp&fit=crop`,
    ...{ width: '1600', height: '1000', loading: 'lazy' },
  });
}

const SHARPENED = [
  ['local', 200, 200],
  ['other', 150, 100],
] as const;

/** Pictures that are none of the space's come from Astro's own endpoint. */
async function checkOthers(html: string, base: string): Promise<void> {
  for (const [id, width, height] of SHARPENED) {
    const { src = '' } = tag(html, `id="${id}"`);
    expect(src).toMatch(/^\/_image\?/);
    const answer = await fetch(new URL(src, base));
    expect(await inspectImage(await answer.arrayBuffer())).toEqual({ width, height, format: 'webp' });
  }
}

/** The environment of a person's shell: what Vitest sets would change what Astro does. */
function environment({ space }: Services): NodeJS.ProcessEnv {
  const { VITEST, NODE_ENV, DEV, PROD, MODE, ...inherited } = process.env;
  return {
    ...inherited,
    ASTRO_TELEMETRY_DISABLED: '1',
    NO_COLOR: '1',
    HOST: '127.0.0.1',
    PORT: '0',
    LUID_BASE_URL: space.baseUrl,
    LUID_ASSETS_URL: space.assetsUrl,
    LUID_API_KEY: 'published-key',
  };
}

/** A static build, which downloads none of the space's pictures. */
export async function checkStatic(folder: string, services: Services): Promise<void> {
  services.space.clearLog();
  await run(join(folder, 'node_modules/.bin/astro'), ['build'], { cwd: folder, env: environment(services) });
  // The first bytes of the two whose size is not told, each once.
  expect(sizeRequests(services)).toBe(2);
  const html = readFileSync(join(folder, 'dist/index.html'), 'utf8');
  await checkPictures(services, html);
  checkMarkdown(services, readFileSync(join(folder, 'dist/note/index.html'), 'utf8'));
  const encoded = readdirSync(join(folder, 'dist/_astro')).filter((name) => name.endsWith('.webp'));
  expect(encoded.filter((name) => /harbour|night-train/.test(name))).toEqual([]);
  for (const [id, width, height] of SHARPENED) {
    const { src = '' } = tag(html, `id="${id}"`);
    expect(src).toMatch(/^\/_astro\/.*\.webp$/);
    const bytes = readFileSync(join(folder, 'dist', src));
    expect(await inspectImage(new Uint8Array(bytes).buffer)).toEqual({ width, height, format: 'webp' });
  }
}

export async function checkDev(folder: string, services: Services): Promise<void> {
  const args = ['dev', '--port', '0', '--host', '127.0.0.1', '--ignore-lock'];
  const options = { cwd: folder, env: environment(services) };
  const server = await startServer(join(folder, 'node_modules/.bin/astro'), args, options);
  try {
    const html = await server.page('/');
    await checkPictures(services, html);
    checkMarkdown(services, await server.page('/note'));
    await checkOthers(html, server.url);
  } finally {
    await server.close();
  }
}

/** A build that is rendered by a server. */
export async function checkServer(folder: string, services: Services): Promise<void> {
  const options = { cwd: folder, env: environment(services) };
  await run(join(folder, 'node_modules/.bin/astro'), ['build'], options);
  services.space.clearLog();
  const server = await startServer(process.execPath, ['dist/server/entry.mjs'], options);
  try {
    const html = await server.page('/');
    expect(sizeRequests(services)).toBe(1);
    await checkPictures(services, html);
    checkMarkdown(services, await server.page('/note'));
    await checkOthers(html, server.url);
  } finally {
    await server.close();
  }
}
