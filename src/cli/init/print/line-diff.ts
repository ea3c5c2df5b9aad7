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

/** Diffs by the longest common subsequence of lines. */
function diffAll(before: readonly string[], after: readonly string[]): DiffLine[] {
  const width = after.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ sign: ' ', text: before[i] ?? '' });
      i += 1;
      j += 1;
    } else if (j < after.length && (i === before.length || at(i, j + 1) > at(i + 1, j))) {
      lines.push({ sign: '+', text: after[j++] ?? '' });
    } else {
      lines.push({ sign: '-', text: before[i++] ?? '' });
    }
  }
  return lines;
}
