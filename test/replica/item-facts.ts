import type { WireContent } from '../../src/contract/content.ts';
import type { ItemFacts } from '../../src/replica/store/segments/facts-format.ts';
import { createFacts } from '../../src/replica/store/segments/item-facts.ts';

/** The facts of a segment of these items, with these links by id. */
export function factsOf(
  items: readonly WireContent[],
  links: { readonly [id: number]: readonly number[] } = {},
): ItemFacts {
  const json = items.map((item) => JSON.stringify(item));
  return createFacts(items, json, ({ _id }) => links[_id] ?? []);
}
