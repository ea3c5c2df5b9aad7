/** The lines about a space so far, by key. */
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
  if (isFirst(space, key)) logger.warn(line);
}

/** The same for what is worth knowing, but nothing to act on. */
export function noteOnce(space: object, line: string, logger: { info(message: string): void }): void {
  if (isFirst(space, line)) logger.info(line);
}

function isFirst(space: object, key: string): boolean {
  const keys = given.get(space) ?? new Set<string>();
  given.set(space, keys);
  return keys.size < keys.add(key).size;
}
