import type { WireContent } from './content.ts';
import { parseInstant } from './instant.ts';

/** The system times that lists can be read by. */
export type TimeProperty = '_created_at' | '_updated_at' | '_last_published_at';

/** A system time of an item, in milliseconds since 1970; before all others if it has none. */
export function timeOf(item: WireContent, by: TimeProperty | '_published_at'): number {
  const time = item[by];
  const instant = typeof time === 'string' ? parseInstant(time, { assumeUtc: true }) : undefined;
  return instant ?? Number.NEGATIVE_INFINITY;
}
