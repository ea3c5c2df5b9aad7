import { join } from 'node:path';
import vm from 'node:vm';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SpaceLiveLoader } from '../../src/astro/live.ts';
import { liveSpace, type models } from './live-space.ts';

describe('astro-luid/live, bundled', () => {
  let code: string;
  let imports: string[];

  beforeAll(async () => {
    const bundle = await rolldown({
      input: join(import.meta.dirname, '../../src/astro/live.ts'),
      platform: 'neutral',
      resolve: { mainFields: ['module', 'main'] },
    });
    const { output } = await bundle.generate({ format: 'iife', name: 'luid', minify: true });
    code = output[0].code;
    imports = output[0].imports;
  });

  test('needs nothing of Node', () => {
    expect(imports).toEqual([]);
    expect(code).not.toMatch(/["'`]node:|\brequire\(|\bBuffer\b|__dirname/);
  });

  test('runs where there is nothing but web standards', async () => {
    const { space } = liveSpace();
    const context = vm.createContext({
      setTimeout,
      clearTimeout,
      ...{ AbortController, AbortSignal, Blob, File, FormData, Headers, ReadableStream, Request, Response },
      ...{ TextDecoder, TextEncoder, URL, URLSearchParams, performance },
    });
    vm.runInContext(`${code}; this.liveLoader = luid.liveLoader;`, context);
    const liveLoader = context.liveLoader as (
      ...args: unknown[]
    ) => SpaceLiveLoader<typeof models, 'article', 1>;
    const live = liveLoader(space, 'article', { id: 'slug' });
    const collection = 'articles';
    expect(await live.loadEntry({ filter: { id: 'harbour' }, collection })).toMatchObject({
      id: 'harbour',
      data: { title: 'Harbour', author: { name: 'Mori' } },
      cacheHint: {
        tags: ['luid:article', 'luid:article:101', 'luid:author', 'luid:author:21', 'luid:article:102'],
      },
    });
    expect(await live.loadEntry({ filter: { id: 'nothing' }, collection })).toBeUndefined();
  });
});
