import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import vm from 'node:vm';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { rolldown } from 'rolldown';
import { createStorage, type Storage } from 'unstorage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as client from '../../src/client/index.ts';
import { createEmulator, type Emulator } from '../../src/emulator/index.ts';
import type * as media from '../../src/images/index.ts';
import type * as root from '../../src/index.ts';
import { defineSpace, field } from '../../src/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { AstroStore } from '../histories/astro-store.ts';
import { run } from '../support/run-command.ts';
import { createFolder, pack, ROOT } from './pack.ts';

const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** The optional peers of `sanitize`. */
const SANITIZE_PEERS = ['parse5', 'hast-util-sanitize', 'remark', 'remark-gfm'];

const { folder, remove } = createFolder();
afterAll(remove);

/** The packed package in two projects: with none of its optional peers, and with those of `sanitize`. */
beforeAll(async () => {
  const tarball = await pack(folder);
  for (const [project, packages] of [
    ['bare', Object.keys(dependencies)],
    ['full', [...Object.keys(dependencies), ...SANITIZE_PEERS]],
  ] as const) {
    const modules = join(folder, project, 'node_modules');
    mkdirSync(join(modules, 'astro-luid'), { recursive: true });
    await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, 'astro-luid')], {
      cwd: folder,
    });
    for (const name of packages) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
  }
});

/** Bundler options for platforms other than Node. */
const TARGETS = {
  browser: { platform: 'browser' },
  // Like Wrangler.
  workerd: { platform: 'browser', conditions: ['workerd', 'worker', 'browser'] },
} satisfies Record<string, esbuild.BuildOptions>;
type Target = keyof typeof TARGETS;

interface Bundle {
  /** A script that assigns the exports to `luid`. */
  readonly code: string;
  readonly gzipped: number;
  /** The packages in it. */
  readonly packages: readonly string[];
  readonly warnings: readonly string[];
}

async function bundle(
  code: string,
  target: Target,
  project = 'bare',
  more: esbuild.BuildOptions = {},
): Promise<Bundle> {
  const options = {
    ...TARGETS[target],
    ...more,
    stdin: { contents: code, resolveDir: join(folder, project) },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  } satisfies esbuild.BuildOptions;
  const { outputFiles, metafile, warnings } = await esbuild.build({ ...options, format: 'esm' });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const names = inputs.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  const script = await esbuild.build({ ...options, format: 'iife', globalName: 'luid' });
  return {
    code: script.outputFiles[0]?.text ?? '',
    gzipped: gzipSync(outputFiles[0]?.contents ?? '').byteLength,
    packages: [...new Set(names)].sort(),
    warnings: warnings.map(({ text }) => text),
  };
}

function createService(): Emulator {
  const { seed, directory } = smallSeed();
  return createEmulator(seed, { directory, origin: 'http://bundles.test' });
}

/** Stores a replica, as a server on Node or a build does. */
async function fill(storage: Storage): Promise<void> {
  const { baseUrl, fetch } = createService();
  const article = { title: field.text(), slug: field.text(), author: field.reference('author') };
  const models = { author: { name: field.text() }, article };
  const space = defineSpace({ baseUrl, apiKey: 'published-key', models, cache: { storage }, fetch });
  await space.loader('article').load(new AstroStore().context('articles', () => {}));
}

/** Runs a bundle in a context with web APIs only, and returns its exports. */
function runInWebContext<T>({ code }: Bundle, storage?: Storage): T {
  const emulator = createService();
  const context = vm.createContext({
    fetch: (url: string, init: RequestInit) => emulator.fetch(new Request(url, init)),
    baseUrl: emulator.baseUrl,
    setTimeout,
    clearTimeout,
    ...{ AbortController, AbortSignal, Blob, File, FormData, Headers, ReadableStream, Request, Response },
    ...{ TextDecoder, TextEncoder, URL, URLSearchParams, performance },
    ...{ crypto, console, Uint8Array, Float64Array, ArrayBuffer, atob, storage },
  });
  return vm.runInContext(`${code}; luid;`, context) as T;
}

describe.each(Object.keys(TARGETS) as Target[])(
  'bundled by esbuild for %s, without optional peers',
  (target) => {
    test('astro-luid/client weighs less than 12.5 kB, has no zod, and works', async () => {
      const bundled = await bundle("export * from 'astro-luid/client'; export const url = baseUrl;", target);
      expect(bundled.packages).not.toContain('zod');
      expect(bundled.gzipped).toBeLessThan(12_500);
      const { createClient, url } = runInWebContext<typeof client & { url: string }>(bundled);
      const { contents } = createClient({ baseUrl: url, apiKey: 'published-key' });
      const titles: string[] = [];
      for await (const item of contents.iterate('article', { order: '_id' })) titles.push(item._title);
      expect(titles).toEqual(['夕暮れの港を歩く', '茶畑の朝', '夜行列車の窓']);
      await expect(contents.get(999)).rejects.toThrow(/404 Not Found/);
    });

    test('a failed request is explained in a development bundle, and has its status in any', async () => {
      const code = "export * from 'astro-luid/client'; export const url = baseUrl;";
      const development = ['development', ...(target === 'workerd' ? TARGETS.workerd.conditions : [])];
      const failureIn = async (bundled: Bundle) => {
        const { createClient, url } = runInWebContext<typeof client & { url: string }>(bundled);
        const { contents } = createClient({ baseUrl: url, apiKey: 'published-key' });
        return contents.get(999).catch((error: unknown) => error);
      };
      expect(await failureIn(await bundle(code, target, 'bare', { conditions: development }))).toMatchObject({
        status: 404,
        hint: expect.stringContaining('Check the id'),
      });
      expect(await failureIn(await bundle(code, target))).toMatchObject({
        status: 404,
        message: expect.stringMatching(/^\[GET\] http:\/\/bundles\.test\S+: 404 Not Found$/),
      });
    });

    test('astro-luid/media weighs less than 2 kB, and works', async () => {
      const bundled = await bundle("export * from 'astro-luid/media';", target);
      expect(bundled.packages).toEqual(['astro-luid']);
      expect(bundled.gzipped).toBeLessThan(2000);
      const { mediaUrl } = runInWebContext<typeof media>(bundled);
      expect(mediaUrl('https://assets.test/a.jpg', { width: 80 })).toContain('width=80');
    });

    test('`cacheKey` alone weighs less than 1 kB, and works', async () => {
      const bundled = await bundle("export { cacheKey } from 'astro-luid';", target);
      expect(bundled.packages).toEqual(['astro-luid']);
      expect(bundled.gzipped).toBeLessThan(1000);
      const { cacheKey } = runInWebContext<typeof root>(bundled);
      expect(cacheKey({ id: 'a', digest: 'b' })).toMatch(/^1-/);
    });

    test('astro-luid/live works with a space of astro-luid', async () => {
      const bundled = await bundle(`${SPACE} export { liveLoader } from 'astro-luid/live';`, target);
      const { liveLoader, space } = runInWebContext<LiveBundle>(bundled);
      const loader = liveLoader(space, 'article', { id: 'slug' });
      expect(await loader.loadEntry({ filter: { id: 'night-train' } })).toMatchObject({
        data: { title: '夜行列車の窓' },
      });
    });

    test('everything in astro-luid works except what needs Node, which throws a clear error', async () => {
      const bundled = await bundle(`${SPACE} export * from 'astro-luid';`, target);
      expect(bundled.warnings).toEqual([]);
      // A dependency of the replica, which must not be in bundles for this target.
      expect(bundled.packages).not.toContain('unstorage');
      expect(bundled.code).not.toMatch(/["'`]node:/);
      const { space } = runInWebContext<LiveBundle>(bundled);
      const authors = await space.client().contents.list('author', { order: '_id' });
      expect(authors.data.map(({ name }) => name)).toEqual(['森 ゆり', '田中 航']);
      const { loadCollection } = space.liveLoader('article', { from: 'service' });
      expect((await loadCollection({})).entries).toHaveLength(3);
      await expect(space.loader('article').load({})).rejects.toThrow(/runs in Node only[\s\S]*liveLoader/);
    });

    test('a collection is not read by its name outside of Astro', async () => {
      const bundled = await bundle("export { collectionKey } from 'astro-luid';", target);
      const { collectionKey } = runInWebContext<typeof root>(bundled);
      await expect(collectionKey('articles')).rejects.toThrow('can only be read in a page of Astro');
    });

    test('a live loader from the replica serves what a Node server has stored', async () => {
      const bundled = await bundle(REPLICA_SPACE, target);
      expect(bundled.code).not.toMatch(/["'`]node:/);
      const storage = createStorage();
      const { space } = runInWebContext<LiveBundle>(bundled, storage);
      const served = space.liveLoader('article', { id: 'slug' });
      if (target === 'browser') {
        const { error } = await served.loadCollection({});
        expect(error?.message).toContain('runs in Node only');
        return;
      }
      expect((await served.loadCollection({})).error?.message).toContain('There is no stored content');
      await fill(storage);
      const { entries } = await served.loadCollection({ filter: { order: '_id' } });
      expect(entries?.map(({ id }) => id)).toEqual(['harbour-at-dusk', 'tea-field-morning', 'night-train']);
      expect(await served.loadEntry({ filter: { id: 'night-train' } })).toMatchObject({
        data: { title: '夜行列車の窓', author: { name: '田中 航' } },
        cacheHint: {
          tags: [expect.stringMatching(/^luid:entry:\w+$/), expect.stringMatching(/^luid:entries:/)],
        },
      });
    });

    test('a live loader with `sanitize` names the packages to install', async () => {
      const { untrusted } = runInWebContext<LiveBundle>(await bundle(SPACE, target));
      const { error } = await untrusted.liveLoader('article', { from: 'service' }).loadCollection({});
      expect(error?.message).toMatch(
        /`sanitize` needs parse5 and hast-util-sanitize[\s\S]*npm install parse5/,
      );
    });

    test('a live loader with `sanitize` bundles the optional peers if they are installed', async () => {
      const bundled = await bundle(SPACE, target, 'full');
      expect(bundled.packages).toEqual(expect.arrayContaining(SANITIZE_PEERS));
      const { untrusted } = runInWebContext<LiveBundle>(bundled);
      const { entries } = await untrusted.liveLoader('article', { from: 'service' }).loadCollection({});
      expect(entries?.map(({ data }) => data.body).join()).toContain('<h2>市場の朝を待つ</h2>');
    });
  },
);

const REPLICA_SPACE = `
  import { defineSpace, field } from 'astro-luid';
  const article = { title: field.text(), slug: field.text(), author: field.reference('author') };
  const models = { author: { name: field.text() }, article };
  export const space = defineSpace({ baseUrl, apiKey: 'published-key', models, cache: { storage } });
`;

const SPACE = `
  import { defineSpace, field } from 'astro-luid';
  const connection = { baseUrl, apiKey: 'published-key' };
  const article = { title: field.text(), slug: field.text(), author: field.reference('author') };
  const author = { name: field.text() };
  export const space = defineSpace({ ...connection, models: { author, article } });
  export const untrusted = defineSpace({ ...connection, models: {
    author, article: { ...article, body: field.flexibleText({ sanitize: true }) },
  } });
`;

interface AnyLoader {
  loadEntry(query: object): Promise<unknown>;
  loadCollection(
    query: object,
  ): Promise<{ entries?: { id: string; data: { body: string } }[]; error?: Error }>;
}
interface AnySpace {
  client(): { contents: { list(model: string, query: object): Promise<{ data: { name: string }[] }> } };
  loader(model: string): { load(context: object): Promise<void> };
  liveLoader(model: string, options?: object): AnyLoader;
}
interface LiveBundle {
  readonly space: AnySpace;
  readonly untrusted: AnySpace;
  liveLoader(space: AnySpace, model: string, options: object): AnyLoader;
}

test.each(['bare', 'full'])('for Node, without Astro, esbuild bundles it: %s', async (project) => {
  const { warnings, errors } = await esbuild.build({
    stdin: { contents: "export { defineSpace } from 'astro-luid';", resolveDir: join(folder, project) },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'bundle',
    external: ['sharp', 'unstorage', ...(project === 'bare' ? SANITIZE_PEERS : [])],
    write: false,
    logLevel: 'silent',
  });
  expect([...warnings, ...errors].map(({ text }) => text)).toEqual([]);
});

test('a site that does not use RichText has none of its code', async () => {
  const codeOf = async (name: string) => {
    const { outputFiles } = await esbuild.build({
      stdin: {
        contents: `export { ${name} } from 'astro-luid/components';`,
        resolveDir: join(folder, 'bare'),
      },
      bundle: true,
      format: 'esm',
      external: ['*.astro', 'parse5'],
      minify: true,
      write: false,
      logLevel: 'silent',
    });
    return outputFiles[0]?.text ?? '';
  };
  const component = (await codeOf('LuidImage')).length;
  // The imports of all components, which the bundler of a site removes.
  expect(component).toBeLessThan(300);
  expect((await codeOf('headingsOf')).length).toBeGreaterThan(10 * component);
});

describe('bundled by rolldown, without optional peers', () => {
  test.each(['astro-luid', 'astro-luid/client', 'astro-luid/live', 'astro-luid/media'])(
    '%s',
    async (entry) => {
      const bundled = await rolldown({
        input: 'entry',
        platform: 'browser',
        cwd: join(folder, 'bare'),
        plugins: [
          {
            name: 'entry',
            resolveId: (id) => (id === 'entry' ? join(folder, 'bare', 'entry.js') : undefined),
            load: (id) => (id.endsWith('entry.js') ? `export * from '${entry}';` : undefined),
          },
        ],
        logLevel: 'silent',
      });
      const { output } = await bundled.generate({ format: 'esm' });
      const imports = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.imports : []));
      // The remaining imports are other chunks.
      expect(imports.filter((name) => !name.endsWith('.js'))).toEqual([]);
    },
  );
});

test('of astro:content, collectionKey brings only what it uses into a Worker: the rest has all of zod', async () => {
  const modules: Readonly<Record<string, string>> = {
    entry: "export { collectionKey } from 'astro-luid';",
    'astro:content':
      "export const getCollection = () => ['the entries']; export const z = { string: () => 'all the rest' };",
  };
  const resolved = (id: string) => join(folder, 'bare', `${id.replace(':', '-')}.js`);
  const bundled = await rolldown({
    input: 'entry',
    cwd: join(folder, 'bare'),
    resolve: { conditionNames: ['workerd', 'astro', 'import', 'default'] },
    plugins: [
      {
        name: 'modules',
        resolveId: (id) => (id in modules ? resolved(id) : undefined),
        load: (id) => modules[Object.keys(modules).find((name) => resolved(name) === id) ?? ''],
      },
    ],
    logLevel: 'silent',
  });
  const { output } = await bundled.generate({ format: 'esm' });
  const code = output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');
  expect(['the entries', 'all the rest'].filter((text) => code.includes(text))).toEqual(['the entries']);
});
