/** The name that was most likely meant, if one is close to what was given. */
export function suggest(given: string, names: Iterable<string>): string | undefined {
  const wanted = given.toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = distanceBetween(wanted, name.toLowerCase());
    if (distance > mostMistakes(given, name)) continue;
    if (!best || distance < best.distance) best = { name, distance };
  }
  return best?.name;
}

/** `; did you mean "check"?`, or nothing. */
export function didYouMean(given: string, names: Iterable<string>): string {
  const name = suggest(given, names);
  return name === undefined ? '' : `; did you mean ${JSON.stringify(name)}?`;
}

/** A third of the letters may be wrong: one in `init`, three in `apiKeyHeader`. */
function mostMistakes(given: string, name: string): number {
  return Math.min(3, Math.max(1, Math.floor(Math.min(given.length, name.length) / 3)));
}

/** How many letters must be added, removed, replaced or swapped with their neighbour. */
function distanceBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(
        at(row - 1, column) + 1,
        (line[column - 1] ?? 0) + 1,
        at(row - 1, column - 1) + cost,
      );
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (row > 1 && column > 1 && isSwap) least = Math.min(least, at(row - 2, column - 2) + 1);
      line.push(least);
    }
  }
  return at(a.length, b.length);
}
