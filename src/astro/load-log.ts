import { counted } from '../entries/report.ts';
import type { Logger } from '../replica/progress.ts';
import type { Which } from './replica-options.ts';

/** What was done to the entries of a collection. */
export interface Changes {
  readonly entries: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** `(en, drafts)`, or nothing for published content of a space without languages. */
function parenthesis(langs: readonly (string | undefined)[], drafts: boolean): string {
  const parts = [...langs.filter((lang) => lang !== undefined), ...(drafts ? ['drafts'] : [])];
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

/** What a copy is of, for lines about its sync. */
export function labelOf(
  { settings: { languages } }: { readonly settings: { readonly languages?: { main: string } | undefined } },
  { lang, drafts }: Which,
): string {
  return `Content${parenthesis([lang ?? languages?.main], drafts)}`;
}

/** A logger whose lines begin with what they are about. */
export function labelled(logger: Logger, label: string): Logger {
  return {
    info: (message) => logger.info(`${label}: ${message}`),
    warn: (message) => logger.warn(`${label}: ${message}`),
  };
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
  return `${label}: ${counted(entries, 'entry', 'entries')}, ${what.join(', ') || 'none changed'}`;
}
