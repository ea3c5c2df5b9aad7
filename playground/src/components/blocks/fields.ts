import type { CollectionEntry } from 'astro:content';
import type { Language } from '../../languages.ts';

type Block = CollectionEntry<'pages'>['data']['blocks'][number];

/** The fields of a block by its LUID: what `Blocks` gives its component. */
export type BlockFields<L extends Block['luid']> = Extract<Block, { luid: L }>['fields'];

/** Blocks are handed nothing but their fields; which language the page has, its address tells. */
export function languageOf({ url }: { url: URL }): Language {
  return /^\/en(\/|$)/.test(url.pathname) ? 'en' : 'ja';
}
