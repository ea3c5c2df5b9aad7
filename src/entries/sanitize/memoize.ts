/**
 * A function of a text that keeps its latest results, so that equal texts cost once. It holds at most `most`
 * characters of texts and results; the oldest are dropped first.
 */
export function rememberResults(compute: (text: string) => string, most: number): (text: string) => string {
  const results = new Map<string, string>();
  let held = 0;
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) {
      // Moves it to the end: the first in a Map is the oldest.
      results.delete(text);
      results.set(text, known);
      return known;
    }
    const result = compute(text);
    results.set(text, result);
    held += text.length + result.length;
    for (const [oldest, value] of results) {
      if (held <= most) break;
      results.delete(oldest);
      held -= oldest.length + value.length;
    }
    return result;
  };
}
