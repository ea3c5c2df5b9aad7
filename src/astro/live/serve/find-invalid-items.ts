import type { FindInvalid } from '../../../entries/entry-shape.ts';
import { findInvalidWith } from '../../../entries/resolvers.ts';
import type { Sanitizer } from '../../../entries/sanitize/item-sanitizer.ts';
import type { SpaceCore } from '../../../space/space.ts';
import { entryResolvers } from '../../collection/make/entry-maker.ts';
import { cacheItems } from '../../collection/view/cache-items.ts';

/** After so many items, what was resolved is forgotten: a view is kept for as long as its version. */
const ITEMS_IN_MEMORY = 1000;

/** Finds what `onInvalid: 'skip'` skips, as a build does. */
export function findInvalidItems(
  space: Pick<SpaceCore, 'models' | 'schema' | 'settings'>,
  sanitizer: Sanitizer | undefined,
): FindInvalid {
  // Nothing is hashed to find out whether an item is valid, and its images make no difference.
  const tools = { hash: (text: string) => text, sanitizer, images: undefined };
  const open = () => findInvalidWith(entryResolvers(space, tools, cacheItems));
  let find = open();
  let count = 0;
  return (...args) => {
    if (++count % ITEMS_IN_MEMORY === 0) find = open();
    return find(...args);
  };
}
