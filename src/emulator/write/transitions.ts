import type { Item, LanguageData } from '../state/item.ts';

// §3: how an item changes when its data is written, by a request or by an editor.

/** The item with new draft data. */
export function withDraft(item: Item, draft: LanguageData, now: number, touchesUpdatedAt: boolean): Item {
  return {
    ...item,
    draft,
    updatedAtBeforeDraft: item.draft ? item.updatedAtBeforeDraft : item.updatedAt,
    updatedAt: touchesUpdatedAt ? now : item.updatedAt,
  };
}

/** The item with new published data, and the draft data that remains. */
export function withPublished(
  item: Item,
  published: LanguageData,
  draft: LanguageData | undefined,
  now: number,
): Item {
  return {
    ...item,
    published,
    draft,
    updatedAtBeforeDraft: draft && now,
    publishedAt: item.publishedAt ?? now,
    lastPublishedAt: now,
    updatedAt: now,
  };
}

/** Data without one of its languages; `undefined` if it was the last one. */
export function withoutLanguage(data: LanguageData | undefined, lang: string): LanguageData | undefined {
  const rest = Object.entries(data ?? {}).filter(([other]) => other !== lang);
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** A new item without data. */
export function createItem(item: Pick<Item, 'id' | 'model' | 'space'>, now: number): Item {
  return {
    ...item,
    archived: false,
    createdAt: now,
    updatedAt: now,
    publishedAt: null,
    lastPublishedAt: null,
    published: undefined,
    draft: undefined,
    updatedAtBeforeDraft: undefined,
  };
}

/** A new draft with the data of another item: of each language the draft, else the published data. */
export function copyAsDraft({ model, space, published, draft }: Item, id: number, now: number): Item {
  return { ...createItem({ id, model, space }, now), draft: { ...published, ...draft } };
}
