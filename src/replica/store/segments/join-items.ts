/** Between the items of a segment. JSON has no line breaks inside, so items are found without parsing them. */
const ITEM_SEPARATOR = ',\n';

/**
 * The body of a segment, of the JSON of its items. With brackets around the items that are joined, not around the result:
 * that would copy it once more.
 */
export function joinItems(json: readonly string[]): string {
  if (json.length === 0) return '[]';
  const parts = [...json];
  parts[0] = `[${parts[0]}`;
  parts[parts.length - 1] += ']';
  return parts.join(ITEM_SEPARATOR);
}
