import type { WireList } from '../../contract/content.ts';
import type { ModelMap } from '../../models/types.ts';
import { hashText } from '../../shared/hash-text.ts';
import { PACKAGE_VERSION } from '../../shared/package-version.ts';
import type { KnownPage } from '../store/manifest/manifest.ts';
import { itemHash } from '../store/segments/item-facts.ts';
import { hashOf } from '../store/segments/segments.ts';

// A page whose bytes are those of the last time need not be parsed, checked or compared: see "Known pages" in
// docs/architecture.md.

/** Known pages are stored in the manifest, which every build reads: those of small spaces only. */
export const MAX_KNOWN_PAGES = 16;

/** A page of a list. The data of one that is recognized is parsed when it is used. */
export interface Page extends WireList {
  /** Of its bytes, if these were hashed. */
  readonly hash?: string | undefined;
  /** Its bytes are those of this page. */
  readonly known?: KnownPage | undefined;
  /** Its items were read by id, because it is too large: at other moments than its total. */
  readonly isById?: boolean;
}

/** What the pages of these models are stored under. With another model map or version, they are read in another way. */
export function pagesKey(map: ModelMap, models: readonly string[], version = PACKAGE_VERSION): string {
  return hashText(JSON.stringify([version, models, map]));
}

/** Recognizes a page by its bytes, and hashes those of others. */
export function createPageReader(known: KnownPage | undefined, parse: (text: string) => WireList) {
  let hash: string | undefined;
  return {
    recognize(body: Uint8Array): Page | undefined {
      hash = hashOf(body);
      return known?.hash === hash ? openPage(known, body, parse) : undefined;
    },
    pageOf: (list: Page): Page => (list.known ? list : { ...list, hash }),
  };
}

function openPage(known: KnownPage, body: Uint8Array, parse: (text: string) => WireList): Page {
  let list: WireList | undefined;
  const read = () => {
    list ??= parse(new TextDecoder().decode(body));
    return list;
  };
  return {
    known,
    total: known.total,
    get offset() {
      return read().offset;
    },
    get limit() {
      return read().limit;
    },
    get data() {
      return read().data;
    },
  };
}

/** The ids of the items of a page. */
export function idsOf(page: Page): readonly number[] {
  return page.known?.ids ?? page.data.map(({ _id }) => _id);
}

/**
 * What to store of the pages of a list. `undefined` if their bytes are not known, or two pages contain different
 * versions of the item that they share: only one of them is stored.
 */
export function knownPagesOf(pages: readonly Page[]): readonly KnownPage[] | undefined {
  const known = pages.flatMap((page) => page.known ?? newlyKnown(page) ?? []);
  const areComplete = known.length === pages.length && known.length > 0;
  const adjoin = known.every(({ ends }, index) => index === 0 || known[index - 1]?.ends.at(-1) === ends[0]);
  return areComplete && adjoin ? known : undefined;
}

function newlyKnown(page: Page): KnownPage | undefined {
  const { hash, total, data } = page;
  if (hash === undefined) return undefined;
  const ends = [data[0], data.at(-1)].filter((item) => item !== undefined);
  return { hash, total, ids: idsOf(page), ends: ends.map(itemHash) };
}
