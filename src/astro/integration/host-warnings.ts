import { existsSync, readFileSync } from 'node:fs';
import type { ConnectedSpace } from '../../space/space.ts';
import type { IntegrationOptions } from './integration-options.ts';

export interface Host {
  /** The name of the adapter. */
  readonly adapter: string | undefined;
  readonly root: URL;
  /** Whether the site has live collections. */
  readonly isLive: boolean;
  /** Whether pages are cached in the memory of the server. */
  readonly hasMemoryCache: boolean;
  readonly space: Pick<ConnectedSpace, 'models' | 'settings'>;
  readonly options: Pick<IntegrationOptions, 'revalidate' | 'preview'>;
}

/** What of this site does not work on the host that its adapter is for, for the log of a build. */
export function hostWarnings(host: Host): string[] {
  const { adapter } = host;
  switch (adapter) {
    case '@astrojs/cloudflare':
      return [...cloudflareWarnings(host), ...cacheWarnings(host, 'cacheCloudflare()')];
    case '@astrojs/netlify':
      return [...functionWarnings(host), ...cacheWarnings(host, 'cacheNetlify()')];
    case '@astrojs/vercel':
      return [...functionWarnings(host), ...cacheWarnings(host, 'cacheVercel()')];
    default:
      return [];
  }
}

/** A page in its memory is served without the middleware, and timers do not run: nothing would look for changes. */
function cacheWarnings({ adapter, hasMemoryCache, options }: Host, provider: string): string[] {
  if (!options.revalidate || !hasMemoryCache) return [];
  return [
    'On this host, pages in `memoryCache()` are not revalidated, because nothing runs between requests: use ' +
      `\`${provider}\` from ${adapter}/cache as \`cache.provider\``,
  ];
}

function cloudflareWarnings({ root, isLive, space, options }: Host): string[] {
  const warnings: string[] = [];
  if ((options.revalidate || options.preview) && !hasNodeModules(root)) {
    warnings.push(
      '`revalidate` and `preview` use modules of Node: add "nodejs_compat" to `compatibility_flags` in wrangler.jsonc',
    );
  }
  if (!isLive) return warnings;
  if (!hasStorage(space)) {
    warnings.push(
      'Workers do not read all content: set `cache: { storage }` in defineSpace(), for example with Cloudflare KV, and let ' +
        "`luid sync` fill it; or use from: 'service' in liveLoader()",
    );
  }
  return warnings;
}

function functionWarnings({ isLive, space }: Host): string[] {
  if (!isLive || hasStorage(space)) return [];
  return [
    'Each new function starts with the content of the build, and then reads all of it: set `cache: { storage }` in ' +
      'defineSpace(), which functions share',
  ];
}

function hasStorage({ settings: { cache } }: Host['space']): boolean {
  return typeof cache === 'object' && cache.storage !== undefined;
}

const WRANGLER_FILES = ['wrangler.jsonc', 'wrangler.json', 'wrangler.toml'];
/** Not in a comment. */
const NODE_FLAG = /^(?!\s*(?:\/\/|#)).*["']nodejs_compat(?:_v2)?["']/m;

function hasNodeModules(root: URL): boolean {
  return WRANGLER_FILES.map((name) => new URL(name, root)).some(
    (file) => existsSync(file) && NODE_FLAG.test(readFileSync(file, 'utf8')),
  );
}
