/** Consecutive items in the order of their creation. */
export interface ItemsByTime {
  /** When the first was created. */
  readonly first: number;
  readonly count: number;
  /** When each was created, ascending: it may have to be read. */
  readonly times: () => Promise<readonly number[]>;
}

/**
 * Whole seconds that cut lists into so many parts of about equal size, within a range: fewer if it is of few
 * seconds. Where a list starts is known without reading it: near enough, it is where to cut.
 */
export async function cutPoints(
  lists: readonly ItemsByTime[],
  { from, to }: { readonly from: number; readonly to: number },
  parts: number,
): Promise<number[]> {
  const total = lists.reduce((sum, { count }) => sum + count, 0);
  const near = total / parts / 8;
  const positions = Array.from({ length: parts - 1 }, (_, n) => ((n + 1) * total) / parts);
  const times = await Promise.all(positions.map((position) => timeAt(lists, position, near)));
  const seconds = new Set(times.map((time) => Math.floor(time / 1000) * 1000));
  return [...seconds].filter((second) => second > from && second < to).sort((a, b) => a - b);
}

/** When the item at a position was created, or one near it; never, after all of them. */
async function timeAt(lists: readonly ItemsByTime[], position: number, near: number): Promise<number> {
  let left = position;
  for (const { first, count, times } of lists) {
    if (left <= Math.min(near, count / 2)) return first;
    if (left < count - near) return (await times())[Math.floor(left)] ?? Number.POSITIVE_INFINITY;
    left -= count;
  }
  return Number.POSITIVE_INFINITY;
}
