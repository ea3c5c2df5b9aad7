import { pluralize } from '../../format-count.ts';
import { parenthesis } from '../../space/sync-label.ts';

/** What was done to the entries of a collection. */
export interface Changes {
  readonly entries: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

interface Loaded {
  readonly lang: string | undefined;
  readonly langs: readonly string[] | undefined;
  readonly drafts: boolean;
}

/** `articles (en): 121 entries, 3 changed` */
export function loadLine(collection: string, { lang, langs, drafts }: Loaded, changes: Changes): string {
  const { entries, added, changed, removed } = changes;
  const what = [
    added > 0 && `${added.toLocaleString('en')} added`,
    changed > 0 && `${changed.toLocaleString('en')} changed`,
    removed > 0 && `${removed.toLocaleString('en')} removed`,
  ].filter((part) => part !== false);
  const label = `${collection}${parenthesis(langs ?? [lang], drafts)}`;
  return `${label}: ${pluralize(entries, 'entry', 'entries')}, ${what.join(', ') || 'none changed'}`;
}
