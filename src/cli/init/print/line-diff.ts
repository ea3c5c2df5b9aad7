/** A line of a diff: unchanged, removed or added. */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** The lines that differ between two texts, with lines of context; empty if the texts are equal. */
export function diffLines(before: string, after: string, context = 2): (DiffLine | 'gap')[] {
  const all = diffAll(before.split('\n'), after.split('\n'));
  const near = all.map((_, index) =>
    all.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' '),
  );
  return all.flatMap((line, index): (DiffLine | 'gap')[] => {
    if (near[index]) return [line];
    return near[index + 1] && index > 0 ? ['gap'] : [];
  });
}

/** Each line of `before` is that of `after` which is next; most changes only add lines. */
function diffAll(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let at = 0;
  for (const text of before) {
    const next = after.indexOf(text, at);
    if (next === -1) lines.push({ sign: '-', text });
    else {
      lines.push(...after.slice(at, next).map((added) => ({ sign: '+', text: added }) as const), {
        sign: ' ',
        text,
      });
      at = next + 1;
    }
  }
  return [...lines, ...after.slice(at).map((text) => ({ sign: '+', text }) as const)];
}
