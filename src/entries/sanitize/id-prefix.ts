/** What every id of a sanitized text gets, so that content cannot stand in for a global variable of the page's scripts. */
export const ID_PREFIX = 'user-content-';

/** What has the prefix already keeps it, so that cleaning twice changes nothing. */
export function prefixedId(id: string): string {
  return id.startsWith(ID_PREFIX) ? id : `${ID_PREFIX}${id}`;
}
