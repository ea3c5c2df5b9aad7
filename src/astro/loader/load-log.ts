import { formatCount, pluralize } from '../../format-count.ts';
import { viewSuffix } from '../../space/content-view.ts';
import type { Changes } from './commit-entries.ts';
import type { LoaderPlan } from './loader-options.ts';

/** `articles (en): 121 entries, 3 changed` */
export function loadLine(
  collection: string,
  { rule: { lang, langs }, drafts }: Pick<LoaderPlan, 'rule' | 'drafts'>,
  { entries, added, changed, removed }: Changes,
): string {
  const changes = [
    added > 0 && `${formatCount(added)} added`,
    changed > 0 && `${formatCount(changed)} changed`,
    removed > 0 && `${formatCount(removed)} removed`,
  ].filter((part) => part !== false);
  const label = `${collection}${viewSuffix(langs ?? [lang], drafts)}`;
  return `${label}: ${pluralize(entries, 'entry', 'entries')}, ${changes.join(', ') || 'none changed'}`;
}
