import type { CollectionEntry } from 'astro:content';
import type { Media } from 'astro-luid/media';

/** Cards that a page of articles has at most. */
const MOST_CARDS = 6;

/** What a card shows of an article, however deep in another entry the article stands. */
export interface Story {
  readonly slug: string;
  readonly title: string;
  readonly lead: string;
  readonly cover: Media | null;
  readonly category: { readonly name: string; readonly slug: string } | number | null;
}

/** A reference where it is content; nothing where it is empty, or only an id. */
export function content<T extends object>(reference: T | number | null | undefined): T | undefined {
  return typeof reference === 'object' && reference !== null ? reference : undefined;
}

/** An article without all that a page of cards does not show. */
export function storyOf({ data }: CollectionEntry<'articles'>) {
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
 * What leads a page, what follows it as cards in full rows, and what is only named. No picture is shown
 * twice: a story whose picture was there already, or that has none, is only named.
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
 * Stories for the `cacheKey` of a page: that page is rendered again when a card of it changed, and not
 * when a text, or something else that an article embeds, did.
 */
export function shown(stories: readonly Story[]): { id: string; digest: string }[] {
  return stories.map((story) => ({ id: story.slug, digest: JSON.stringify(story) }));
}
