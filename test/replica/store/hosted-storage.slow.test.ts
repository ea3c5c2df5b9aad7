import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStorage } from 'unstorage';
import kvBinding from 'unstorage/drivers/cloudflare-kv-binding';
import r2Binding from 'unstorage/drivers/cloudflare-r2-binding';
import { afterAll, beforeAll, describe } from 'vitest';
import { type NpmPackages, npmPackages } from '../../support/npm-packages.ts';
import { describeStorage } from '../storage-suite.ts';

// The storages of hosts, each as the host's own package serves it on one machine.

const stores = await npmPackages('tests of Netlify Blobs and S3', {
  unstorage: '1.17.6',
  '@netlify/blobs': '10.7.13',
  aws4fetch: '1.0.20',
  s3rver: '3.7.1',
});
const workers = await npmPackages('tests of Cloudflare KV and R2', { miniflare: '4.20260426.0' });

const folder = mkdtempSync(join(tmpdir(), 'astro-luid-hosted-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const imported = (packages: NpmPackages | undefined, file: string) => (packages as NpmPackages).import(file);

describe.skipIf(!stores)('the storage of Netlify', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the package has no types here.
  let [server, driver]: any[] = [];
  let port = 0;
  let count = 0;
  beforeAll(async () => {
    const { BlobsServer } = await imported(stores, '@netlify/blobs/dist/server.js');
    driver = (await imported(stores, 'unstorage/drivers/netlify-blobs.mjs')).default;
    server = new BlobsServer({ directory: join(folder, 'blobs'), token: 'token' });
    ({ port } = await server.start());
  });
  afterAll(() => server.stop());

  describeStorage('Netlify Blobs', () => {
    const edgeURL = `http://localhost:${port}`;
    const site = { siteID: 'site', token: 'token', edgeURL, uncachedEdgeURL: edgeURL };
    return createStorage({ driver: driver({ name: `luid-${++count}`, consistency: 'strong', ...site }) });
  });
});

describe.skipIf(!stores)('the storage of Amazon', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the packages have no types here.
  let [server, driver]: any[] = [];
  let endpoint = '';
  let count = 0;
  const buckets = Array.from({ length: 4 }, (_, index) => `luid-${index + 1}`);
  beforeAll(async () => {
    const { default: S3rver } = await imported(stores, 's3rver/lib/s3rver.js');
    driver = (await imported(stores, 'unstorage/drivers/s3.mjs')).default;
    const configureBuckets = buckets.map((name) => ({ name }));
    server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: join(folder, 's3'),
      configureBuckets,
    });
    const { port } = (await server.run()) as AddressInfo;
    endpoint = `http://127.0.0.1:${port}`;
  });
  afterAll(() => server.close());

  describeStorage('S3', () => {
    const account = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1' };
    // The server in this test cannot delete several objects at once.
    const bucket = { endpoint, bucket: buckets[count++], bulkDelete: false };
    return createStorage({ driver: driver({ ...account, ...bucket }) });
  });
});

describe.skipIf(!workers)('the storages of Cloudflare', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the package has no types here.
  let miniflare: any;
  let count = 0;
  beforeAll(async () => {
    const { Miniflare } = await imported(workers, 'miniflare/dist/src/index.js');
    miniflare = new Miniflare({
      modules: true,
      script: 'export default { fetch: () => new Response() }',
      compatibilityDate: '2026-01-01',
      kvNamespaces: ['KV'],
      r2Buckets: ['R2'],
    });
    await miniflare.ready;
  });
  afterAll(() => miniflare.dispose());

  describeStorage('Cloudflare KV', async () => {
    const binding = await miniflare.getKVNamespace('KV');
    return createStorage({ driver: kvBinding({ binding, base: `luid-${++count}` }) });
  });

  describeStorage('Cloudflare R2', async () => {
    const binding = await miniflare.getR2Bucket('R2');
    return createStorage({ driver: r2Binding({ binding, base: `luid-${++count}` }) });
  });
});
