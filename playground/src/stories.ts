import type { CollectionEntry } from 'astro:content';
import type { Media } from 'astro-luid/media';

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
 * Stories for the `cacheKey` of a page: that page is rendered again when a card of it changed, and not
 * when a text, or something else that an article embeds, did.
 */
export function shown(stories: readonly Story[]): { id: string; digest: string }[] {
  return stories.map((story) => ({ id: story.slug, digest: JSON.stringify(story) }));
}
