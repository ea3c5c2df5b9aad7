import type { Item } from './item.ts';
import type { Media } from './state.ts';

/** What one write does: it stores or removes an item or a media. */
export type WriteOperation =
  | { readonly item: Item }
  | { readonly media: Media }
  | { readonly removed: { readonly item: Item } | { readonly media: Media } };
