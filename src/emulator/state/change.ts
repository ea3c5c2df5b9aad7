import type { Item } from './item.ts';
import type { Media } from './state.ts';

/** What one write does: something new or changed, or something gone. */
export type Change =
  | { readonly item: Item }
  | { readonly media: Media }
  | { readonly gone: { readonly item: Item } | { readonly media: Media } };
