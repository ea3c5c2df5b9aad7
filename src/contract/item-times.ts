import type { WireContent } from './content.ts';
import { parseInstant } from './instant.ts';

/** The system times that lists can be read by. */
export type TimeProperty = '_created_at' | '_updated_at' | '_last_published_at';

/** What distinguishes a version of an item from its others. */
export type ItemVersion = Pick<WireContent, '_id' | '_status' | '_updated_at' | '_last_published_at'>;

/** A system time of an item, in milliseconds since 1970; before all others if it has none. */
export function timeOf<By extends TimeProperty | '_published_at'>(
  item: Pick<WireContent, By>,
  by: By,
): number {
  const time: unknown = item[by];
  const instant = typeof time === 'string' ? parseInstant(time, UTC) : undefined;
  return instant ?? Number.NEGATIVE_INFINITY;
}

const UTC = { assumeUtc: true };

/** Whether the data may be a draft: of an item with both, it depends on the key which of them is shown. */
export function mayBeDraft({ _status }: Pick<WireContent, '_status'>): boolean {
  return _status !== 'published';
}

/** The latest time at which the data of an item can have changed. A saved draft may move no time at all. */
export function newestTime(item: WireContent): number {
  if (mayBeDraft(item)) return Number.POSITIVE_INFINITY;
  return Math.max(timeOf(item, '_updated_at'), timeOf(item, '_last_published_at'));
}
