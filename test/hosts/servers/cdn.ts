import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';

/** The headers by which pages tell the CDN of a host how long to store them, and with which tags. */
export interface CdnHeaders {
  readonly control: string;
  readonly tags: string;
}

interface StoredPage {
  readonly headers: readonly string[];
  readonly tags: readonly string[];
  readonly body: Buffer;
}

/** The CDN of a host: prerendered pages, and pages of functions until one of their tags is purged. */
export class Cdn {
  readonly #pages: string;
  readonly #headers: CdnHeaders;
  readonly #stored = new Map<string, StoredPage>();

  /** `pages`: the folder of the prerendered pages. */
  constructor(pages: string, headers: CdnHeaders) {
    this.#pages = pages;
    this.#headers = headers;
  }

  /** Responds, if it can without the function. */
  serve(path: string, response: ServerResponse): boolean {
    const { pathname } = new URL(path, 'http://cdn');
    const file = join(this.#pages, pathname, 'index.html');
    if (existsSync(file)) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(readFileSync(file));
      return true;
    }
    const stored = this.#stored.get(path);
    if (!stored) return false;
    response.writeHead(200, [...stored.headers, 'x-cdn-cache', 'HIT']).end(stored.body);
    return true;
  }

  /** Stores a page while it is sent, if its headers allow that. */
  store(path: string, page: IncomingMessage): void {
    const { [this.#headers.control]: control = '', [this.#headers.tags]: tags = '' } = page.headers;
    if (page.statusCode !== 200 || !/\bmax-age=[1-9]/.test(String(control))) return;
    const chunks: Buffer[] = [];
    page.on('data', (chunk: Buffer) => chunks.push(chunk));
    page.on('end', () => {
      const headers = page.rawHeaders.flatMap((name, index, all) =>
        index % 2 === 0 && name.toLowerCase() !== 'transfer-encoding' ? [name, all[index + 1] as string] : [],
      );
      this.#stored.set(path, { headers, tags: String(tags).split(','), body: Buffer.concat(chunks) });
    });
  }

  purge(tags: readonly string[]): void {
    for (const [path, page] of this.#stored) {
      if (page.tags.some((tag) => tags.includes(tag))) this.#stored.delete(path);
    }
  }
}
