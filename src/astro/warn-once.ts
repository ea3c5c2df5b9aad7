/** The warnings of a space so far, by key. */
const given = new WeakMap<object, Set<string>>();

/**
 * Several collections may have cause for one warning, and a dev server loads them again and again: it is
 * given once per space. `key` is what it is about, where the line itself may differ.
 */
export function warnOnce(
  space: object,
  line: string,
  logger: { warn(message: string): void },
  key = line,
): void {
  const keys = given.get(space) ?? new Set<string>();
  given.set(space, keys);
  if (!keys.has(key)) logger.warn(line);
  keys.add(key);
}
