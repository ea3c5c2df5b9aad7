import type { StorageKind } from './storages.ts';

/** An adapter of Astro, with the cache of pages and the storage of content of its host. */
export interface Adapter {
  readonly package: string;
  /** The file of the site that starts the built server, or has the handler of the function; or the folder of a function that names it. */
  readonly server: string;
  /** Where a build stores content. */
  readonly storage: StorageKind;
  /** `adapter.mjs`, `src/storage.ts`, and what the host needs besides. */
  readonly files: Readonly<Record<string, string>>;
}

const NO_STORAGE = 'export const storage = undefined;';
const HTTP_STORAGE = `
  import { createStorage } from 'unstorage';
  import http from 'unstorage/drivers/http';
  export const storage = createStorage({ driver: http({ base: process.env.LUID_STORAGE_URL }) });`;
const NETLIFY_BLOBS = `
  import { createStorage } from 'unstorage';
  import netlifyBlobs from 'unstorage/drivers/netlify-blobs';
  export const storage = createStorage({ driver: netlifyBlobs({ name: 'content', consistency: 'strong' }) });`;
/** In a Worker its binding, elsewhere the same storage over HTTP. */
const WORKERS_KV = `
  import { createStorage } from 'unstorage';
  import http from 'unstorage/drivers/http';
  import kvBinding from 'unstorage/drivers/cloudflare-kv-binding';
  const isWorker = globalThis.navigator?.userAgent === 'Cloudflare-Workers';
  const driver = isWorker
    ? kvBinding({ binding: (await import('cloudflare:workers')).env.CONTENT })
    : http({ base: process.env.LUID_STORAGE_URL });
  export const storage = createStorage({ driver });`;

const WRANGLER = {
  name: 'site',
  compatibility_date: '2026-01-01',
  compatibility_flags: ['nodejs_compat'],
  kv_namespaces: [{ binding: 'CONTENT', id: 'content' }],
};

export const ADAPTERS = {
  node: {
    package: '@astrojs/node',
    server: 'dist/server/entry.mjs',
    storage: 'disk',
    files: {
      'adapter.mjs': `
        import node from '@astrojs/node';
        import { memoryCache } from 'astro/config';
        export const adapter = node({ mode: 'standalone' });
        export const provider = memoryCache({ query: { sort: true } });`,
      'src/storage.ts': NO_STORAGE,
    },
  },
  netlify: {
    package: '@astrojs/netlify',
    server: '.netlify/v1/functions/ssr/ssr.mjs',
    storage: 'blobs',
    files: { 'adapter.mjs': adapterOf('netlify', 'cacheNetlify'), 'src/storage.ts': NETLIFY_BLOBS },
  },
  vercel: {
    package: '@astrojs/vercel',
    server: '.vercel/output/functions/_render.func',
    storage: 'http',
    files: { 'adapter.mjs': adapterOf('vercel', 'cacheVercel'), 'src/storage.ts': HTTP_STORAGE },
  },
  cloudflare: {
    package: '@astrojs/cloudflare',
    server: 'dist/server/entry.mjs',
    storage: 'http',
    files: {
      'adapter.mjs': adapterOf('cloudflare', 'cacheCloudflare'),
      'src/storage.ts': WORKERS_KV,
      'wrangler.jsonc': JSON.stringify(WRANGLER),
    },
  },
} as const satisfies Readonly<Record<string, Adapter>>;

export type AdapterName = keyof typeof ADAPTERS;

function adapterOf(name: string, provider: string): string {
  return `
    import create from '@astrojs/${name}';
    import { ${provider} } from '@astrojs/${name}/cache';
    export const adapter = create();
    export const provider = ${provider}();`;
}
