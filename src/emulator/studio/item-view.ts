import { createHash } from 'node:crypto';
import { visitMedia, visitReferences } from '../../models/walk.ts';
import { formatInstant } from '../fields/instants.ts';
import { badRequest, notFound } from '../http/http-error.ts';
import { getSystemProperty } from '../read/system-properties.ts';
import { dataInLanguage, type Item, statusOf, type View } from '../state/item.ts';
import type { State } from '../state/state.ts';
import { describeMedia } from './media-requests.ts';
import type { StudioContext } from './studio-context.ts';
import type { ItemRow, ItemStatus, StudioItem } from './studio-types.ts';

export function itemStatus(item: Item): ItemStatus {
  return item.archived ? 'archived' : statusOf(item);
}

/** The item with an id from a path, archived or not. Its model must exist. */
export function findItem(id: string, { requestContext }: StudioContext): Item {
  const { state } = requestContext();
  if (!/^[1-9]\d*$/.test(id)) throw badRequest();
  const item = state.items.get(Number(id));
  if (!item || !state.fields(item.model)) throw notFound();
  return item;
}

/** An item for the editor. */
export function describeItem(id: string, context: StudioContext): StudioItem {
  const { state } = context.requestContext();
  const item = findItem(id, context);
  const { published, draft, created_at, published_at } = context.converter.toSeedContent(item);
  const { contents, media } = linksOf(item, state);
  return {
    ...toRow(item, state),
    version: versionOf(item, context),
    createdAt: created_at,
    publishedAt: published_at ?? null,
    published,
    draft,
    linkedContents: contents.flatMap((linked) => {
      const target = state.items.get(linked);
      return target && state.fields(target.model) ? [toRow(target, state)] : [];
    }),
    linkedMedia: media.flatMap((linked) => {
      const target = state.media.get(linked);
      return target ? [describeMedia(target, context)] : [];
    }),
  };
}

/** A digest of everything that the item contains. */
function versionOf(item: Item, { converter }: StudioContext): string {
  return createHash('sha256')
    .update(JSON.stringify(converter.toSeedContent(item)))
    .digest('base64url');
}

/** `lang`: the language of the title; where the item has none, that of the main language. */
export function toRow(item: Item, state: State, lang = state.languages.main): ItemRow {
  const lastPublishedAt = getSystemProperty('_last_published_at').value(item, draftView(state, lang), state);
  return {
    id: item.id,
    model: item.model,
    title: titleOf(item, state, lang),
    status: itemStatus(item),
    languages: languagesOf(item, state),
    space: item.space,
    updatedAt: formatInstant(item.updatedAt),
    lastPublishedAt: lastPublishedAt === null ? null : formatInstant(lastPublishedAt as number),
  };
}

export function titleOf(item: Item, state: State, lang: string): string {
  return String(getSystemProperty('_title').value(item, draftView(state, lang), state) ?? '');
}

/** The languages with data, published or draft. */
function languagesOf(item: Item, { languages: { main, sub } }: State): string[] {
  return [main, ...sub].filter((lang) => dataInLanguage(item, 'drafts', lang) !== undefined);
}

/** What editors see: drafts of every space. */
function draftView({ languages: { main } }: State, lang: string): View {
  return { reads: 'drafts', spaces: undefined, lang, main, fallback: true };
}

/** The ids that the values of an item name, each once. */
export function linksOf(item: Item, state: State): { contents: number[]; media: number[] } {
  const fields = state.fields(item.model) ?? {};
  const contents = new Set<number>();
  const media = new Set<number>();
  for (const values of [...Object.values(item.published ?? {}), ...Object.values(item.draft ?? {})]) {
    visitReferences(fields, values, ({ value }) => void contents.add(value as number));
    visitMedia(fields, values, ({ value }) => void media.add(value as number));
  }
  return { contents: [...contents], media: [...media] };
}
