import { type Collected, entriesOf } from '../../entries/collection.ts';
import { unusableIds } from '../../entries/entry-id.ts';
import type { Finding } from '../../entries/findings/finding.ts';
import { counted, duplicateIds } from '../../entries/findings/report.ts';
import type { RunningSpace, SpaceCore } from '../../space/space.ts';
import { referencesOf } from './collection-rules.ts';
import { type LanguageReplicas, languageContent } from './language-content.ts';
import type { LoaderPlan } from './loader-options.ts';

/** Decides which entries a collection has, with their ids, neighbours and references, but without their data. */
export async function planEntries(
  space: RunningSpace,
  plan: LoaderPlan,
  replicas: LanguageReplicas,
  collection: string,
): Promise<Collected> {
  const { corpora, langsOf } = await languageContent(space, plan, replicas);
  const references = referencesOf(space.runtime, plan, collection);
  return entriesOf({ rule: plan.rule, corpora, langsOf, order: plan.order, references });
}

/** Throws for ids that cannot be used. With `onInvalid: 'skip'`, items without an id are findings instead. */
export function checkIds(
  { settings: { onInvalid } }: SpaceCore,
  { rule }: LoaderPlan,
  { unnamed, duplicates }: Collected,
  collection: string,
): Finding[] {
  if (duplicates.size > 0) throw duplicateIds(duplicates, collection);
  if (unnamed.length === 0) return [];
  const error = unusableIds(unnamed, rule.id, onInvalid === 'skip');
  if (onInvalid !== 'skip') throw error;
  const line = `${collection}: ${counted(unnamed.length, 'entry is', 'entries are')} skipped. ${error.message}`;
  return [{ key: line, line }];
}
