import type { Item, LangData } from '../state/item.ts';

/** §3: how an item changes when its data is written, whoever writes it. */

/** The item with this draft data. */
export function withDraft(item: Item, draft: LangData, now: number, touches: boolean): Item {
  return {
    ...item,
    draft,
    settledAt: item.draft ? item.settledAt : item.updatedAt,
    updatedAt: touches ? now : item.updatedAt,
  };
}

/** The item with this published data, and the draft data that stays beside it. */
export function withPublished(
  item: Item,
  published: LangData,
  draft: LangData | undefined,
  now: number,
): Item {
  return {
    ...item,
    published,
    draft,
    settledAt: draft && now,
    publishedAt: item.publishedAt ?? now,
    lastPublishedAt: now,
    updatedAt: now,
  };
}

/** Data without one of its languages; `undefined` if that was the last. */
export function withoutLanguage(data: LangData | undefined, lang: string): LangData | undefined {
  const rest = Object.entries(data ?? {}).filter(([other]) => other !== lang);
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}
