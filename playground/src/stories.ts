import type { CollectionEntry } from 'astro:content';
import { content, type Story } from '@magazine/stories.ts';
import { collectionKey } from 'astro-luid';

export { content, type Story } from '@magazine/stories.ts';

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
