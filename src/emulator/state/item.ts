import type { Status } from '../../contract/content.ts';
import type { Values } from '../fields/field-behaviour.ts';
import { getOwn } from './own-property.ts';

/** Data by language. */
export type LanguageData = { readonly [lang: string]: Values };

/**
 * A content item. Immutable: a change replaces it, so that sorted lists can still find the old one.
 */
export interface Item {
  readonly id: number;
  readonly model: string;
  readonly space: string;
  readonly archived: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly publishedAt: number | null;
  readonly lastPublishedAt: number | null;
  readonly published: LanguageData | undefined;
  readonly draft: LanguageData | undefined;
  /** `updatedAt` before a draft was added to published data. */
  readonly updatedAtBeforeDraft: number | undefined;
}

/** §3. */
export function statusOf(item: Item): Status {
  if (!item.published) return 'draft';
  return item.draft ? 'published_draft' : 'published';
}

/** What a request can read: with which kind of key, in which spaces and in which language. */
export interface View {
  readonly reads: 'published' | 'drafts';
  /** The spaces that the key may read; `undefined`: all. */
  readonly spaces: ReadonlySet<string> | undefined;
  readonly lang: string;
  readonly main: string;
  /** §4.1: `lang_fallback`: return main-language data where `lang` has none. */
  readonly fallback: boolean;
}

/** The data of one language that a kind of key reads: the draft if it reads drafts and there is one, else the published data. */
export function dataInLanguage(item: Item, reads: View['reads'], lang: string): Values | undefined {
  const draft = reads === 'drafts' ? getOwn(item.draft, lang) : undefined;
  return draft ?? getOwn(item.published, lang);
}

/** The language of the data that a view returns of an item; `undefined` if it has none. */
export function languageInView(item: Item, view: View): string | undefined {
  if (dataInLanguage(item, view.reads, view.lang)) return view.lang;
  return view.fallback && dataInLanguage(item, view.reads, view.main) ? view.main : undefined;
}

export function dataInView(item: Item, view: View): Values | undefined {
  return (
    dataInLanguage(item, view.reads, view.lang) ??
    (view.fallback ? dataInLanguage(item, view.reads, view.main) : undefined)
  );
}

/** Whether the key can read the item in at least one language. */
export function isVisible(item: Item, view: Pick<View, 'reads' | 'spaces'>): boolean {
  return (
    !item.archived &&
    (item.published !== undefined || (view.reads === 'drafts' && item.draft !== undefined)) &&
    (view.spaces === undefined || view.spaces.has(item.space))
  );
}
