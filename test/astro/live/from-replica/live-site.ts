import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LazyLiveSource } from '../../../../src/astro/live/lazy-live-source.ts';
import { liveSources, type RequestVersions } from '../../../../src/astro/live/live-sources.ts';
import { createEmulator, type EmulatorOptions } from '../../../../src/emulator/index.ts';
import { defineSpace, field } from '../../../../src/index.ts';

const models = {
  author: {
    name: field.text({ title: true, required: true }),
    slug: field.text(),
    mentor: field.reference('author'),
  },
  article: {
    title: field.text({ title: true, required: true }),
    slug: field.text(),
    author: field.reference('author'),
  },
} as const;

export const article = (id: number, slug: string, more: object = {}) => ({
  id,
  model: 'article',
  created_at: `2026-01-${String(id).padStart(2, '0')}T00:00:00Z`,
  published: { ja: { title: `Title ${id}`, slug, author: 1, ...more } },
});

export interface SiteOptions {
  readonly contents?: readonly object[];
  /** Languages besides the main one. */
  readonly sub?: readonly string[];
  readonly onInvalid?: 'skip';
  readonly draftApiKey?: string;
  readonly emulator?: EmulatorOptions;
}

/** A service with one author and three articles, and spaces that share one cache of it. */
export function openSite({
  contents = [article(10, 'a'), article(11, 'b'), article(12, 'c')],
  sub = [],
  emulator = {},
  ...options
}: SiteOptions = {}) {
  const author = { id: 1, model: 'author', created_at: '2026-01-01T00:00:00Z' };
  const service = createEmulator(
    {
      languages: { main: 'ja', sub },
      keys: [
        { key: 'published', reads: 'published' },
        { key: 'drafts', reads: 'drafts' },
      ],
      models,
      contents: [{ ...author, published: { ja: { name: 'Mori', slug: 'mori' } } }, ...contents],
    } as never,
    { origin: `http://live-${Math.random()}.test`, rateLimit: false, ...emulator },
  );
  const dir = mkdtempSync(join(tmpdir(), 'astro-luid-live-'));
  const open = (cacheDir = dir) =>
    defineSpace({
      baseUrl: service.baseUrl,
      apiKey: 'published',
      draftApiKey: 'drafts',
      models,
      cache: { dir: cacheDir },
      fetch: service.fetch,
      ...(sub.length > 0 && { languages: { main: 'ja', sub } }),
      ...options,
    });
  return { service, open, dir, space: open() };
}

/** Checks all live content; the tags of what changed. */
export async function refreshAll(): Promise<string[]> {
  const changes = await Promise.all(
    liveSources()
      .all()
      .map((source) => source.refresh()),
  );
  return changes.flatMap(({ tags }) => tags);
}

/** Runs within a request of the middleware. */
export async function inRequest<T>(versions: RequestVersions, run: () => Promise<T>): Promise<T> {
  liveSources().currentRequest = () => versions;
  try {
    return await run();
  } finally {
    liveSources().currentRequest = () => undefined;
  }
}

/** A result that must be neither missing nor an error. */
export function resultOf<T extends object>(result: T | undefined): Exclude<T, { error: Error }> {
  if (!result) throw new Error('not found');
  if ('error' in result) throw result.error;
  return result as Exclude<T, { error: Error }>;
}

interface Tagged {
  readonly cacheHint?: { readonly tags?: string[] | undefined } | undefined;
}

/** All cache tags of a page that shows a result. */
export function tagsOf(result: Tagged & { readonly entries?: readonly Tagged[] }): string[] {
  return [result, ...(result.entries ?? [])].flatMap(({ cacheHint }) => cacheHint?.tags ?? []);
}

/** For `afterEach`. */
export function closeSources(): void {
  for (const source of liveSources().all()) (source as LazyLiveSource).close();
  liveSources().currentRequest = () => undefined;
}
