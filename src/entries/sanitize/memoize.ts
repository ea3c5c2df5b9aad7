/** Reuses the results of `compute`, up to `maxCharacters` of input and output. The least recently used go first. */
export function memoize(compute: (text: string) => string, maxCharacters: number): (text: string) => string {
  const results = new Map<string, string>();
  let characters = 0;
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) {
      // Moves it to the end: a Map iterates in the order of insertion.
      results.delete(text);
      results.set(text, known);
      return known;
    }
    const result = compute(text);
    results.set(text, result);
    characters += text.length + result.length;
    for (const [oldest, value] of results) {
      if (characters <= maxCharacters) break;
      results.delete(oldest);
      characters -= oldest.length + value.length;
    }
    return result;
  };
}
