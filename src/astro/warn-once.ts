/** What was said of a space. */
const said = new WeakMap<object, Set<string>>();

/** Several collections may have cause for one warning, and a dev server loads them again and again: it is said once. */
export function warnOnce(space: object, line: string, logger: { warn(message: string): void }): void {
  const lines = said.get(space) ?? new Set<string>();
  said.set(space, lines);
  if (!lines.has(line)) logger.warn(line);
  lines.add(line);
}
