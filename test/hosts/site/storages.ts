import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createStorage } from 'unstorage';
import { createStorageServer } from 'unstorage/server';
import type { NpmPackages } from '../../support/npm-packages.ts';

export type StorageKind = 'disk' | 'http' | 'blobs';

/** Opens empty storages for content. */
export class Storages {
  readonly #folder: string;
  readonly #packages: NpmPackages | undefined;
  readonly #closers: (() => unknown)[] = [];
  /** The URL of Netlify Blobs. */
  #blobs: Promise<string> | undefined;
  #count = 0;

  constructor(folder: string, packages: NpmPackages | undefined) {
    this.#folder = folder;
    this.#packages = packages;
  }

  /** Returns the variables by which a site finds it. */
  async open(kind: StorageKind): Promise<NodeJS.ProcessEnv> {
    this.#count += 1;
    if (kind === 'disk') return { LUID_CACHE_DIR: join(this.#folder, `cache-${this.#count}`) };
    if (kind === 'http') return { LUID_STORAGE_URL: await this.#startServer() };
    const siteID = `site-${this.#count}`;
    this.#blobs ??= this.#startBlobs();
    const edgeURL = await this.#blobs;
    const context = { edgeURL, uncachedEdgeURL: edgeURL, siteID, token: 'token' };
    return { NETLIFY_BLOBS_CONTEXT: Buffer.from(JSON.stringify(context)).toString('base64') };
  }

  async close(): Promise<void> {
    for (const close of this.#closers) await close();
  }

  async #startServer(): Promise<string> {
    const server = createServer(createStorageServer(createStorage()).handle);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  async #startBlobs(): Promise<string> {
    const { BlobsServer } = await (this.#packages as NpmPackages).import('@netlify/blobs/dist/server.js');
    const server = new BlobsServer({ directory: join(this.#folder, 'blobs'), token: 'token' });
    const { port } = await server.start();
    this.#closers.push(() => server.stop());
    return `http://localhost:${port}`;
  }
}
