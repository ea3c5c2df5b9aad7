import type { Status } from '../../contract/content.ts';
import type { Values } from '../fields/field-behaviour.ts';
import { own } from './own.ts';

/** Data by language. */
export type LangData = { readonly [lang: string]: Values };

/**
 * A content item. Never changed in place: a change puts a new one in its place, so lists that hold
 * the old one can still find it.
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
  readonly published: LangData | undefined;
  readonly draft: LangData | undefined;
  /** `updatedAt` before there was a draft beside published data. */
  readonly settledAt: number | undefined;
}

/** §3. */
export function statusOf(item: Item): Status {
  if (!item.published) return 'draft';
  return item.draft ? 'published_draft' : 'published';
}

/** What is seen of the space: with which kind of key, in which spaces, in which language. */
export interface View {
  readonly reads: 'published' | 'drafts';
  /** The spaces that the key may read; `undefined`: all. */
  readonly spaces: ReadonlySet<string> | undefined;
  readonly lang: string;
  readonly main: string;
  /** §4.1: show main-language data where `lang` has none. */
  readonly fallback: boolean;
}

/** The data of one language that a kind of key reads: a draft, where it may, else what is published. */
export function dataIn(item: Item, reads: View['reads'], lang: string): Values | undefined {
  const draft = reads === 'drafts' ? own(item.draft, lang) : undefined;
  return draft ?? own(item.published, lang);
}

/** The language that an item shows itself in, or `undefined` if it has nothing to show. */
export function shownLang(item: Item, view: View): string | undefined {
  if (dataIn(item, view.reads, view.lang)) return view.lang;
  return view.fallback && dataIn(item, view.reads, view.main) ? view.main : undefined;
}

export function shownData(item: Item, view: View): Values | undefined {
  return (
    dataIn(item, view.reads, view.lang) ?? (view.fallback ? dataIn(item, view.reads, view.main) : undefined)
  );
}

/** Whether it exists for this key at all, in whatever language. */
export function isVisible(item: Item, view: Pick<View, 'reads' | 'spaces'>): boolean {
  return (
    !item.archived &&
    (item.published !== undefined || (view.reads === 'drafts' && item.draft !== undefined)) &&
    (view.spaces === undefined || view.spaces.has(item.space))
  );
}
