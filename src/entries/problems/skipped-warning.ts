import { pluralize } from '../../shared/format-count.ts';
import { invalidContentError } from './content-errors.ts';
import type { InvalidItem } from './invalid-item.ts';

/** About the entries of a collection that `onInvalid: 'skip'` skips; none if there are none. */
export function skippedWarning(collection: string, invalid: readonly InvalidItem[]): string[] {
  if (invalid.length === 0) return [];
  const count = pluralize(invalid.length, 'entry is', 'entries are');
  return [`${collection}: ${count} skipped. ${invalidContentError(invalid, true).message}`];
}
