/** The prefix of ids in sanitized content, so that they cannot replace global variables of the page's scripts. */
export const ID_PREFIX = 'user-content-';

/** Idempotent: an id that has the prefix is returned as it is. */
export function prefixedId(id: string): string {
  return id.startsWith(ID_PREFIX) ? id : `${ID_PREFIX}${id}`;
}
