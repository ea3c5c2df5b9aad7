import { displaySizeOf } from '../../../images/display-size.ts';
import { parseSource, resizableUrl } from '../../../images/source-url.ts';
import { sizedUrl } from '../../../images/srcset.ts';
import type { Media } from '../../../models/field-types/media.ts';
import { descriptionOf, imageOf, oneLine } from '../../feeds/entry-summary.ts';
import { dataOf, isContent, languageTag, type ShownEntry } from '../../feeds/shown-entry.ts';

/** The size that link previews are shown in. */
const IMAGE = { width: 1200, height: 630 };

export interface SeoAuthor {
  readonly name: string;
  readonly url?: string | URL | undefined;
}

/** A method, so that it may accept only the languages of a site. */
type UrlOf = { urlOf(lang: string): string | URL }['urlOf'];

/** The props of `LuidSeo`. */
export interface SeoOptions {
  /** The entry that the page shows: the source of all defaults. */
  readonly entry?: ShownEntry | undefined;
  /** Default: `data._title`. */
  readonly title?: string | undefined;
  /** The content of `<title>`. Default: the title, and the name of the site. */
  readonly documentTitle?: string | undefined;
  /** Default: `seo.description`, `description`, `summary`, `lead`, `excerpt`, or the start of the body. */
  readonly description?: string | undefined;
  /** Default: `seo.image`, or the first media field with an image. `null` for none. */
  readonly image?: Media | string | null | undefined;
  /** Default: the URL of the page, or of the language that a fallback shows. `false` for none. */
  readonly canonical?: string | URL | false | undefined;
  /** Default: `article` with an entry, else `website`. */
  readonly type?: 'article' | 'website' | undefined;
  readonly siteName?: string | undefined;
  /** Of the content. Default: `data._lang`, or the language that a fallback shows. */
  readonly lang?: string | undefined;
  /** For Open Graph, such as `en_GB`. */
  readonly locale?: string | undefined;
  /**
   * The languages that the page exists in, the main one first. Default: `data._langs.available`, all languages in which
   * the space has the item.
   */
  readonly langs?: readonly string[] | undefined;
  /** The URL of the page in each of these languages. */
  readonly urlOf?: UrlOf | undefined;
  /** Default: the title of `data.author`, if it is embedded content. `null` for none. */
  readonly author?: SeoAuthor | null | undefined;
  /** Keeps the page out of search engines, without a canonical URL and alternates. */
  readonly noindex?: boolean | undefined;
  /** Properties to add to the JSON-LD, or to replace. `false` for none. */
  readonly jsonLd?: Readonly<Record<string, unknown>> | false | undefined;
}

export interface SeoContext {
  /** `Astro.site`, or else the URL of the request. */
  readonly site: URL;
  readonly pathname: string;
  readonly assetsUrl?: string | undefined;
}

type Attributes = Readonly<Record<string, string>>;

export interface SeoTags {
  readonly title: string | undefined;
  readonly meta: readonly Attributes[];
  readonly links: readonly Attributes[];
  /** Safe within a `<script>`. */
  readonly jsonLd: string | undefined;
}

/** What `LuidSeo` renders. */
export function seoTags(options: SeoOptions, context: SeoContext): SeoTags {
  const { entry, siteName, noindex, locale, author = authorOf(entry) } = options;
  const data = entry ? dataOf(entry) : {};
  const title = options.title ?? data._title;
  const lang = options.lang ?? (data._fallback ? data._langs?.current : data._lang);
  const description = oneLine(options.description ?? (entry && descriptionOf(entry)) ?? '') || undefined;
  const type = options.type ?? (entry ? 'article' : 'website');
  const image = toImage(options.image === undefined ? entry && imageOf(entry) : options.image, context);
  const canonical = canonicalUrl(options, context);
  const published = type === 'article' ? data._published_at?.toISOString() : undefined;
  const modified =
    type === 'article' ? (data._last_published_at ?? data._published_at)?.toISOString() : undefined;

  const meta = [
    named('description', description),
    named('robots', noindex ? 'noindex' : undefined),
    property('og:type', type),
    property('og:title', title),
    property('og:description', description),
    property('og:url', canonical),
    property('og:site_name', siteName),
    property('og:locale', locale),
    property('og:image', image?.url),
    property('og:image:width', image?.width),
    property('og:image:height', image?.height),
    property('og:image:alt', image?.alt),
    property('article:published_time', published),
    property('article:modified_time', modified),
    named('twitter:card', image ? 'summary_large_image' : 'summary'),
    named('twitter:title', title),
    named('twitter:description', description),
    named('twitter:image', image?.url),
    named('twitter:image:alt', image?.alt),
  ];
  const article = {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: title,
    description: description,
    image: image && [image.url],
    datePublished: published,
    dateModified: modified,
    inLanguage: lang && languageTag(lang),
    mainEntityOfPage: canonical,
    author: author
      ? { '@type': 'Person', name: author.name, url: author.url && new URL(author.url, context.site).href }
      : undefined,
    publisher: siteName && { '@type': 'Organization', name: siteName },
    ...options.jsonLd,
  };
  const hasJsonLd = options.jsonLd !== false && (type === 'article' || options.jsonLd);
  return {
    title: options.documentTitle ?? documentTitle(title, siteName),
    meta: meta.flat(),
    links: [...(canonical ? [{ rel: 'canonical', href: canonical }] : []), ...alternates(options, context)],
    jsonLd: hasJsonLd ? scriptJson(article) : undefined,
  };
}

function named(name: string, content: string | undefined): Attributes[] {
  return content ? [{ name, content }] : [];
}

function property(name: string, content: string | number | undefined): Attributes[] {
  return content ? [{ property: name, content: String(content) }] : [];
}

function documentTitle(title: string | undefined, siteName: string | undefined): string | undefined {
  return title && siteName && title !== siteName ? `${title} | ${siteName}` : title || siteName;
}

function authorOf(entry: ShownEntry | undefined): SeoAuthor | undefined {
  const author = entry && dataOf(entry).author;
  return isContent(author) && author._title ? { name: author._title } : undefined;
}

/** Search engines should find fallback content in its own language. */
function canonicalUrl({ entry, canonical, urlOf, noindex }: SeoOptions, { site, pathname }: SeoContext) {
  if (canonical === false || (noindex && canonical === undefined)) return undefined;
  const { _fallback, _langs } = entry ? dataOf(entry) : {};
  const original = _fallback && _langs ? urlOf?.(_langs.current) : undefined;
  // `//evil.example` alone would be another site.
  return new URL(canonical ?? original ?? site.origin + pathname, site).href;
}

/** The page in each of its languages. */
function alternates(options: SeoOptions, { site }: SeoContext): Attributes[] {
  const { entry, urlOf, noindex, canonical } = options;
  const { _fallback, _langs } = entry ? dataOf(entry) : {};
  const langs = options.langs ?? _langs?.available ?? [];
  if (!urlOf || noindex || canonical === false || _fallback || langs.length < 2) return [];
  const links = langs.map((lang) => ({
    rel: 'alternate',
    hreflang: languageTag(lang),
    href: new URL(urlOf(lang), site).href,
  }));
  return [...links, ...links.slice(0, 1).map((link) => ({ ...link, hreflang: 'x-default' }))];
}

interface SeoImage {
  readonly url: string;
  readonly alt?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** An image of the space is cropped by the CDN, but never enlarged. */
function toImage(
  image: Media | string | null | undefined,
  { site, assetsUrl }: SeoContext,
): SeoImage | undefined {
  if (!image) return undefined;
  if (typeof image === 'string') {
    const { url } = parseSource(image, {});
    return url ? { url: new URL(url, site).href } : undefined;
  }
  const source = parseSource(image, { assetsUrl });
  if (!source.url) return undefined;
  if (!resizableUrl(source)) return { url: new URL(source.url, site).href, alt: image.alt };
  const size = displaySizeOf(image, IMAGE);
  const width = Math.min(IMAGE.width, size.maxWidth);
  const url = sizedUrl(image, size, width, { format: 'jpg', assetsUrl });
  return {
    url,
    alt: image.alt,
    width,
    height: Math.max(1, Math.round((width * IMAGE.height) / IMAGE.width)),
  };
}

/** JSON without `<`, so that no text can end the script. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
