import type { ItemAction, StudioItem, StudioSpace, TimeEffect } from '../../../studio-types.ts';

export const ACTION_LABELS: { readonly [action in ItemAction]: string } = {
  draft: 'Save draft',
  publish: 'Publish',
  unpublish: 'Unpublish',
  archive: 'Archive',
  restore: 'Restore',
  duplicate: 'Duplicate',
  discard: 'Discard draft',
  remove: 'Delete permanently',
};

const DONE: { readonly [action in ItemAction]: string } = {
  draft: 'Draft saved.',
  publish: 'Published.',
  unpublish: 'Unpublished.',
  archive: 'Archived.',
  restore: 'Restored.',
  duplicate: 'Duplicated: this is the copy.',
  discard: 'Draft discarded.',
  remove: 'Deleted.',
};

const SAVE_FIRST = 'Save or revert your changes first.';

/** Why an action is not possible now; `undefined` if it is. */
export function whyNot(action: ItemAction, item: StudioItem, isUnsaved: boolean): string | undefined {
  const isArchived = item.status === 'archived';
  if (action === 'restore') return isArchived ? undefined : 'It is not archived.';
  if (action === 'remove') return isArchived ? undefined : 'Only archived content can be deleted.';
  if (isArchived) return 'It is archived.';
  if (action === 'draft') return isUnsaved ? undefined : 'There are no unsaved changes.';
  if (action === 'publish') return isUnsaved || item.draft ? undefined : 'There is no draft to publish.';
  if (action === 'unpublish' && !item.published) return 'It is not published.';
  if (action === 'discard' && !item.draft) return 'There is no draft.';
  if (action === 'discard' && !item.published) return 'There is only a draft; archive it instead.';
  return isUnsaved ? SAVE_FIRST : undefined;
}

const EFFECTS: { readonly [effect in TimeEffect]: string } = {
  now: 'now',
  unchanged: 'unchanged',
  'before-draft': 'as before the draft',
};

/** What an action does to the times, in short notes. */
export function effectNotes(action: ItemAction, effects: StudioSpace['effects']): string[] {
  const effect = effects[action];
  if (!effect) return action === 'remove' ? ['It cannot be brought back.'] : [];
  return [`_updated_at: ${EFFECTS[effect.updated]}`, `_last_published_at: ${EFFECTS[effect.lastPublished]}`];
}

/** What an action has done to the times. */
export function doneText(action: ItemAction, before: StudioItem, after: StudioItem): string {
  if (action === 'duplicate' || action === 'remove') return DONE[action];
  return [
    DONE[action],
    changeText('_updated_at', before.updatedAt, after.updatedAt),
    changeText('_last_published_at', before.lastPublishedAt, after.lastPublishedAt),
  ].join('\n');
}

function changeText(name: string, before: string | null, after: string | null): string {
  if (before === after) return `${name}: unchanged`;
  return `${name}: ${before ?? 'null'} → ${after ?? 'null'}`;
}
