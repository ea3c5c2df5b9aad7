import type { CollectionEntry } from 'astro:content';
import { collectionKey } from 'astro-luid';
import type { Media } from 'astro-luid/media';

/** The maximum number of cards on a page of articles. */
const MOST_CARDS = 6;

/** What a card shows of an article, at any depth of another entry. */
export interface Story {
  readonly slug: string;
  readonly title: string;
  readonly lead: string;
  readonly cover: Media | null;
  readonly category: { readonly name: string; readonly slug: string } | number | null;
}

/** The referenced content, or `undefined` if the reference is empty or only an id. */
export function content<T extends object>(reference: T | number | null | undefined): T | undefined {
  return typeof reference === 'object' && reference !== null ? reference : undefined;
}

interface Article extends Story {
  readonly _published_at: Date | null;
  readonly _created_at: Date;
}

/** An article without all that a page of cards does not show. */
export function storyOf({ data }: { readonly data: Article }) {
  const { slug, title, lead, cover, _published_at } = data;
  const category = content(data.category);
  return {
    slug,
    title,
    lead,
    cover,
    category: category ? { name: category.name, slug: category.slug } : null,
    date: _published_at ?? data._created_at,
  };
}

/**
 * Splits stories into a lead, cards in full rows, and a plain list. No image is shown twice: a story whose
 * image was used already, or that has none, goes to the list.
 */
export function arrange(stories: readonly Story[]) {
  const seen = new Set<string>();
  const pictured = stories.filter(({ cover }) => {
    if (!cover || seen.has(cover.url)) return false;
    seen.add(cover.url);
    return true;
  });
  const [lead, ...others] = pictured;
  const inRows = others.length === 2 ? 2 : others.length - (others.length % 3);
  const cards = others.slice(0, Math.min(MOST_CARDS, inRows));
  const rest = stories.filter((story) => story !== lead && !cards.includes(story));
  return { lead, cards, rest };
}

/**
 * The key of a list of stories: a page is rendered again when one of its cards changed, but not when a body or other
 * embedded content did.
 */
export function storiesKey(articles: readonly CollectionEntry<'articles'>[]): string {
  return collectionKey(articles, {
    fields: [
      'slug',
      'title',
      'lead',
      'cover',
      'category.name',
      'category.slug',
      '_published_at',
      '_created_at',
    ],
  });
}
