import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { LoaderContext } from 'astro/loaders';
import { afterAll } from 'vitest';
// Astro's own Markdown renderer and store, so that the results are those of a build. Astro exports neither.
import { satteri } from '../../node_modules/@astrojs/markdown-satteri/dist/index.js';
import { MutableDataStore } from '../../node_modules/astro/dist/content/mutable-data-store.js';
import type { AnyContent } from './stub-service.ts';

export interface StoredEntry {
  readonly id: string;
  readonly digest: string;
  readonly data: Record<string, unknown>;
  readonly body?: string;
  readonly rendered?: { readonly html: string };
}

const folder = mkdtempSync(join(tmpdir(), 'astro-luid-security-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let stores = 0;

const renderer = await satteri().createRenderer({ syntaxHighlight: 'shiki', gfm: true } as never);

/** Renders Markdown as Astro does. */
export async function renderMarkdown(markdown: string) {
  const { code, metadata } = await renderer.render(markdown, { frontmatter: {} });
  return { html: code, metadata };
}

/** A loader context with Astro's own store and Markdown renderer. */
export function createLoaderContext(cacheDir = join(folder, String(++stores))) {
  const store = new MutableDataStore();
  const scoped = store.scopedStore('things');
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const context = {
    collection: 'things',
    store: scoped,
    meta: store.metaStore('things'),
    logger: { info: log, warn: log, error: log, debug: log },
    config: { cacheDir: pathToFileURL(`${cacheDir}/`) },
    parseData: async ({ data }: { data: unknown }) => data,
    renderMarkdown,
    generateDigest: (data: unknown) =>
      createHash('sha256')
        .update(typeof data === 'string' ? data : JSON.stringify(data))
        .digest('hex'),
  } as unknown as LoaderContext;
  return {
    context,
    lines,
    entries: () => scoped.values() as unknown as StoredEntry[],
    /** The serialized store, as Astro writes it to disk. */
    stored: () => store.toString(),
  };
}

/** An item with these fields, as the service sends it. */
export function contentOf(id: number, model: string, fields: Record<string, unknown>): AnyContent {
  const at = new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString();
  const times = { _created_at: at, _updated_at: at, _published_at: at, _last_published_at: at };
  const item = { _id: id, _model: model, _title: `item ${id}`, ...times, _status: 'published' };
  return { ...item, ...fields } as AnyContent;
}
