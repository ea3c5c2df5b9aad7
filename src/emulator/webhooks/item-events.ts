import type { WebhookEvent } from '../state/seed-types.ts';
import type { ItemChange } from '../state/state.ts';

/** The events of one change of an item, as editors see it: publishing is one, also with a draft that is saved with it. */
export function eventsOf({ before, after }: ItemChange): readonly WebhookEvent[] {
  if (!after) return ['delete'];
  const wasArchived = before?.archived ?? false;
  if (after.archived !== wasArchived) return [after.archived ? 'archive' : 'restore'];
  if (before?.published && !after.published) return ['unpublish'];
  const events: WebhookEvent[] = [];
  if (after.published && after.published !== before?.published) events.push('publish');
  if (after.draft && after.draft !== before?.draft) events.push('draft');
  return events;
}
