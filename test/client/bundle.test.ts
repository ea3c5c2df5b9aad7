import { join } from 'node:path';
import vm from 'node:vm';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import type { createClient } from '../../src/client/index.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';

describe('astro-luid/client, bundled', () => {
  let code: string;
  let imports: string[];

  beforeAll(async () => {
    const bundle = await rolldown({
      input: join(import.meta.dirname, '../../src/client/index.ts'),
      platform: 'neutral',
      resolve: { mainFields: ['module', 'main'] },
    });
    const { output } = await bundle.generate({ format: 'iife', name: 'luid', minify: true });
    code = output[0].code;
    imports = output[0].imports;
  });

  test('is under 12 kB', () => {
    expect(gzipSync(code).byteLength).toBeLessThan(12_000);
  });

  test('needs nothing of Node', () => {
    expect(imports).toEqual([]);
    expect(code).not.toMatch(/\bnode:|\brequire\(|\bBuffer\b|__dirname/);
  });

  test('runs where there is nothing but web standards', async () => {
    const { seed, directory } = smallSeed();
    const emulator = createEmulator(seed, { directory });
    const context = vm.createContext({
      fetch: (url: string, init: RequestInit) => emulator.fetch(new Request(url, init)),
      setTimeout,
      clearTimeout,
      ...{ AbortController, AbortSignal, Blob, File, FormData, Headers, ReadableStream, Request, Response },
      ...{ TextDecoder, TextEncoder, URL, URLSearchParams, performance },
    });
    vm.runInContext(`${code}; this.createClient = luid.createClient;`, context);
    const client = (context.createClient as typeof createClient)({
      baseUrl: emulator.baseUrl,
      apiKey: 'published-key',
    });
    const titles: string[] = [];
    for await (const item of client.contents.iterate('article', { order: '_id' })) titles.push(item._title);
    expect(titles).toEqual(['夕暮れの港を歩く', '茶畑の朝', '夜行列車の窓']);
    await expect(client.contents.get(999)).rejects.toThrow(/404 Not Found/);
  });
});
