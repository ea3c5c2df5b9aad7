import { type CollectedEntries, collectEntries } from '../../entries/collection.ts';
import { unusableIdsError } from '../../entries/entry-id.ts';
import { languageContent } from '../../entries/language-content.ts';
import { duplicateIdsError } from '../../entries/problems/content-errors.ts';
import type { ContentWarning } from '../../entries/problems/content-warning.ts';
import { pluralize } from '../../format-count.ts';
import type { RunningSpace, SpaceCore } from '../../space/space.ts';
import { referencesOf } from './collection-rules.ts';
import type { LoaderPlan } from './loader-options.ts';
import type { LanguageReplicas } from './sync-languages.ts';

/** Decides which entries a collection has, with their ids, neighbours and references, but without their data. */
export async function planEntries(
  space: RunningSpace,
  plan: LoaderPlan,
  replicas: LanguageReplicas,
  collection: string,
): Promise<CollectedEntries> {
  const content = await languageContent(space, plan.rule, replicas, (replica) => replica.unresolvedItems());
  const references = referencesOf(space, plan, collection);
  return collectEntries({
    ...content,
    rule: plan.rule,
    order: plan.order,
    references,
    backlinkRules: plan.backlinks,
  });
}

/** Throws for ids that cannot be used. With `onInvalid: 'skip'`, items without an id are warnings instead. */
export function checkIds(
  { settings: { onInvalid } }: SpaceCore,
  { rule }: LoaderPlan,
  { withoutId, duplicates }: CollectedEntries,
  collection: string,
): ContentWarning[] {
  if (duplicates.size > 0) throw duplicateIdsError(duplicates, collection);
  if (withoutId.length === 0) return [];
  const error = unusableIdsError(withoutId, rule.id, onInvalid === 'skip');
  if (onInvalid !== 'skip') throw error;
  const line = `${collection}: ${pluralize(withoutId.length, 'entry is', 'entries are')} skipped. ${error.message}`;
  return [{ key: line, line }];
}
