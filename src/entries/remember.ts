/**
 * A function of a text that keeps its latest results, so that equal texts cost once. It holds at most `most`
 * characters of texts and results; the oldest are dropped first.
 */
export function rememberResults(
  compute: (text: string, variant: string) => string,
  most: number,
): (text: string, variant: string) => string {
  const results = new Map<string, string>();
  let held = 0;
  return (text, variant) => {
    const key = `${variant}\0${text}`;
    const known = results.get(key);
    if (known !== undefined) {
      // Moves it to the end: the first in a Map is the oldest.
      results.delete(key);
      results.set(key, known);
      return known;
    }
    const result = compute(text, variant);
    results.set(key, result);
    held += key.length + result.length;
    for (const [oldest, value] of results) {
      if (held <= most) break;
      results.delete(oldest);
      held -= oldest.length + value.length;
    }
    return result;
  };
}
