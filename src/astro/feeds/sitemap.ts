import { parseMediaUrl } from '../../images/media-url.ts';
import { scanTags } from '../../models/text/scan-tags.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { callback, checkOptions } from '../../shared/options.ts';
import { callbackResult, optional, url as urlRule } from './callback-result.ts';
import { isImage } from './entry-summary.ts';
import { type FindEntry, lastModified } from './last-modified.ts';
import { loadedEntries, requestEntries } from './loaded-entries.ts';
import { dataOf, isContent, isMedia, isObject, languageTag, type ShownEntry } from './shown-entry.ts';

/** An entry of a collection that this package loads. */
export interface SitemapEntry {
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: an Astro config cannot import the types of collections
  readonly data: { readonly [name: string]: any };
}

/** Collection → the URL of the page of an entry, absolute or from the root of the site; `undefined` for no page. */
export type SitemapUrls = {
  readonly [collection: string]: (entry: SitemapEntry) => string | URL | undefined;
};

/** What is added to the items of `@astrojs/sitemap`. */
export interface SitemapAdditions {
  lastmod?: string | undefined;
  links?: { url: string; lang: string }[] | undefined;
  img?: { url: string }[] | undefined;
}

/** Google's limit for images of a page. */
const MAX_IMAGES = 1000;

/**
 * `serialize` for `@astrojs/sitemap`: adds to the page of each entry when anything on it changed, its images, and the
 * URLs of its translations. A fallback whose language has a page too is `undefined`, which leaves it out: search engines
 * should find that page. All other pages are unchanged.
 */
export function sitemapSerialize(
  urls: SitemapUrls,
): <I extends { url: string }>(item: I) => (I & SitemapAdditions) | undefined {
  checkOptions(
    'sitemapSerialize',
    urls,
    Object.fromEntries(Object.keys(urls ?? {}).map((collection) => [collection, callback])),
  );
  requestEntries();
  let pages: Map<string, SitemapAdditions | undefined> | undefined;
  return (item) => {
    pages ??= readPages(urls, item.url);
    const { host, pathname } = new URL(item.url);
    const path = pathKey(pathname);
    const key = [`${host}${path}`, path].find((one) => pages?.has(one));
    if (key === undefined) return item;
    const additions = pages.get(key);
    return additions && { ...item, ...additions };
  };
}

/** The host belongs to the key only if the URL has one: a path is a page of any host. */
function keyOf(url: string | URL): string {
  const { host, pathname } = new URL(url, `https://${NO_HOST}`);
  return host === NO_HOST ? pathKey(pathname) : `${host}${pathKey(pathname)}`;
}

const NO_HOST = 'no-host.invalid';

/** Equal for paths of the same page: with and without a slash at the end, and however they are encoded. */
function pathKey(pathname: string): string {
  return pathname
    .replace(/\/$/, '')
    .split('/')
    .map((segment) => encodeURIComponent(decode(segment).normalize('NFC')))
    .join('/');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** What is added to each page; `undefined` for a page that is left out. */
function readPages(urls: SitemapUrls, base: string): Map<string, SitemapAdditions | undefined> {
  const pages = new Map<string, SitemapAdditions | undefined>();
  const findEntry = entryFinder();
  for (const [collection, urlOf] of Object.entries(urls)) {
    const placed = entriesOf(collection).flatMap((entry) => {
      const option = `sitemapSerialize: ${collection}`;
      const url = callbackResult(option, urlOf(entry as SitemapEntry), entry, optional(urlRule));
      return url == null ? [] : { entry, url: new URL(url, base).href, key: keyOf(url) };
    });
    const translations = Map.groupBy(
      placed.filter(({ entry }) => dataOf(entry)._lang && !dataOf(entry)._fallback),
      ({ entry }) => dataOf(entry)._id,
    );
    for (const { entry, key } of placed) {
      const translated = translations.get(dataOf(entry)._id) ?? [];
      const links = linksOf(entry, translated);
      pages.set(
        key,
        isShownElsewhere(entry, key, translated) ? undefined : additionsOf(entry, links, findEntry),
      );
    }
  }
  return pages;
}

function entriesOf(collection: string): readonly ShownEntry[] {
  const found = loadedEntries(collection);
  if (found) return found;
  throw new LuidConfigError(`sitemapSerialize: the collection "${collection}" was not loaded by astro-luid`, {
    hint: 'Use the names of collections in src/content.config.ts that have a loader of a space.',
  });
}

interface PlacedEntry {
  readonly entry: ShownEntry;
  readonly url: string;
  readonly key: string;
}

/** Whether the language that a fallback shows has another page. */
function isShownElsewhere(entry: ShownEntry, key: string, translations: readonly PlacedEntry[]): boolean {
  const { _fallback, _langs } = dataOf(entry);
  return (
    _fallback === true &&
    translations.some((one) => dataOf(one.entry)._lang === _langs?.current && one.key !== key)
  );
}

function linksOf(entry: ShownEntry, translations: readonly PlacedEntry[]): { url: string; lang: string }[] {
  const own = dataOf(entry);
  if (translations.length < 2 || own._fallback) return [];
  const available = own._langs?.available ?? [];
  // The order of entries in Astro's store depends on earlier builds.
  const positionOf = ({ entry: one }: PlacedEntry) => available.indexOf(dataOf(one)._lang ?? '');
  const links = [...translations]
    .sort((a, b) => positionOf(a) - positionOf(b))
    .map((one) => ({ url: one.url, lang: languageTag(dataOf(one.entry)._lang ?? '') }));
  const main = translations.find((one) => dataOf(one.entry)._lang === available[0]);
  return main ? [...links, { url: main.url, lang: 'x-default' }] : links;
}

/** Finds entries of the collections that this package loads. */
function entryFinder(): FindEntry {
  const collections = new Map<string, Map<string, ShownEntry>>();
  return (collection, id) => {
    let entries = collections.get(collection);
    if (!entries) {
      entries = new Map(loadedEntries(collection)?.map((entry) => [entry.id, entry]));
      collections.set(collection, entries);
    }
    return entries.get(id);
  };
}

function additionsOf(
  entry: ShownEntry,
  links: { url: string; lang: string }[],
  findEntry: FindEntry,
): SitemapAdditions {
  const images = [...new Set(imagesOf(entry))].slice(0, MAX_IMAGES);
  return {
    lastmod: lastModified(entry, findEntry)?.toISOString(),
    ...(links.length > 0 && { links }),
    ...(images.length > 0 && { img: images.map((url) => ({ url })) }),
  };
}

/** The images of an entry itself, in its media fields and in its body; in full size, so that each is listed once. */
function imagesOf({ data, rendered }: ShownEntry): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (isMedia(value)) found.push(value.url);
    else if (isObject(value) && !isContent(value)) Object.values(value).forEach(visit);
  };
  Object.values(data).forEach(visit);
  for (const tag of scanTags(rendered?.html ?? '')) {
    if (tag.name !== 'img') continue;
    found.push(tag.attributes.find(({ name }) => name === 'src')?.value ?? '');
  }
  return found
    .filter((url) => /^https?:/.test(url) && isImage(url))
    .flatMap((url) => parseMediaUrl(url)?.src.replace(/#.*/s, '') ?? []);
}
