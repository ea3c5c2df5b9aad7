/** Consecutive items in the order of their creation. */
export interface ItemsByTime {
  /** When the first was created. */
  readonly first: number;
  readonly count: number;
  /** When each was created, ascending: it may have to be read. */
  readonly times: () => Promise<readonly number[]>;
}

/** Whole seconds that cut lists into so many parts of equal size, within a range: fewer if it is of few seconds. */
export async function cutPoints(
  lists: readonly ItemsByTime[],
  { from, to }: { readonly from: number; readonly to: number },
  parts: number,
): Promise<number[]> {
  const total = lists.reduce((sum, { count }) => sum + count, 0);
  const positions = Array.from({ length: parts - 1 }, (_, n) => ((n + 1) * total) / parts);
  const times = await Promise.all(positions.map((position) => timeAt(lists, position)));
  const seconds = new Set(times.map((time) => Math.floor(time / 1000) * 1000));
  return [...seconds].filter((second) => second > from && second < to).sort((a, b) => a - b);
}

/** When the item at a position was created; never, after all of them. */
async function timeAt(lists: readonly ItemsByTime[], position: number): Promise<number> {
  let left = Math.floor(position);
  for (const { first, count, times } of lists) {
    if (left === 0) return first;
    if (left < count) return (await times())[left] as number;
    left -= count;
  }
  return Number.POSITIVE_INFINITY;
}
