/** `Did you mean 'neighbours'? ` if one of the names is similar, else an empty string. */
export function suggest(name: unknown, known: readonly string[]): string {
  const found = typeof name === 'string' ? nearest(name, known) : undefined;
  return found === undefined ? '' : `Did you mean '${found}'? `;
}

/** `; did you mean "check"?` if one of the names is similar, else an empty string. */
export function didYouMean(name: string, known: readonly string[]): string {
  const found = nearest(name, known);
  return found === undefined ? '' : `; did you mean ${JSON.stringify(found)}?`;
}

/** The most similar name, if at most a third of its characters differ. Ignores case. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const distances = known.map((other) => ({
    other,
    distance: editDistance(name.toLowerCase(), other.toLowerCase()),
    max: Math.floor(Math.max(name.length, other.length) / 3),
  }));
  const close = distances.filter(({ distance, max }) => distance <= max);
  return close.sort((a, b) => a.distance - b.distance)[0]?.other;
}

/** Longer names are not compared: the time grows with the square of the length. */
const LONGEST_NAME = 100;

/** The number of characters to insert, remove, replace or swap with the next one. */
export function editDistance(a: string, b: string): number {
  if (Math.max(a.length, b.length) > LONGEST_NAME) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + same,
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
