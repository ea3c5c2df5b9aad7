import { createHash } from 'node:crypto';
import type { Seed, SeedContent, SeedFields } from '../../src/emulator/index.ts';
import { linksTo, MEDIA, type ModelName, SERVICE_MODELS, titleField } from './models.ts';

/** How a space starts. */
export interface StartingSpace {
  readonly size: number;
  /** Items that were created in the same second. */
  readonly perSecond: number;
  readonly subSpaces: boolean;
  /** Of how many items one is never published. */
  readonly draftEvery: number;
  /** Of how many items one is in English only. */
  readonly onlyEnglishEvery: number;
}

/** The items that most references lead to and most edits happen to: by their models, in order of their ids. */
const FEW: readonly ModelName[] = [
  'author',
  'author',
  'article',
  'note',
  'event',
  'extra',
  'author',
  'article',
  'extra',
];
export const FEW_COUNT = FEW.length;

/** At least the 100 newest that a key sees, with drafts in between that it does not see. */
const NEWEST = 150;

export const START = Date.UTC(2026, 0, 1);
export const LANGUAGES = { main: 'ja', sub: ['en', 'fr'] };

export function seedOf(space: StartingSpace): Seed {
  return {
    languages: LANGUAGES,
    ...(space.subSpaces && { spaces: ['_parent', 'shop'] }),
    keys: [
      { key: 'published', reads: 'published' },
      { key: 'drafts', reads: 'drafts' },
      ...(space.subSpaces ? [{ key: 'shop-only', reads: 'published', spaces: ['shop'] } as const] : []),
    ],
    models: SERVICE_MODELS,
    media: MEDIA.map((id) => ({ id, file: `${id}.jpg`, alt: { ja: `alt ${id}`, en: `English ${id}` } })),
    contents: Array.from({ length: space.size }, (_, index) => contentAt(index, space)),
  };
}

/** Mostly notes, so that more of them can be edited than a list shows; many articles, and some of the others. */
function modelAt(index: number): ModelName {
  if (index < FEW.length) return FEW[index] as ModelName;
  const others: readonly ModelName[] = ['author', 'event', 'extra'];
  if (index % 10 === 9) return others[Math.floor(index / 10) % 3] as ModelName;
  return index % 5 < 2 ? 'article' : 'note';
}

function contentAt(index: number, space: StartingSpace): SeedContent {
  const model = modelAt(index);
  const timeAt = (n: number) => new Date(START + Math.floor(n / space.perSecond) * 1000).toISOString();
  const target = chance(index, 'target') % Math.min(FEW.length, space.size);
  // The newest items refer to nothing: read again as the newest, they would repair what the rest lacks.
  const isOld = index < space.size - NEWEST || space.size < 100;
  const hasLink = isOld && (model !== 'note' || chance(index, 'link') % 3 === 0);
  const link = hasLink ? linksTo(model, target + 1, modelAt(target), chance(index, 'slot')) : {};
  const inJapanese = { ...fieldsOf(model, `item ${index}`, index), ...link };
  const inEnglish = { ...fieldsOf(model, `English ${index}`, index), ...link };
  const isFew = index < FEW.length;
  const data: Record<string, SeedFields> = { ja: inJapanese };
  if (isFew ? index % 3 === 1 : chance(index, 'en') % 6 > 0) data.en = inEnglish;
  if (chance(index, 'fr') % 6 === 0) data.fr = { ...inEnglish, [titleField(model)]: `français ${index}` };
  if (!isFew && chance(index, 'only en') % space.onlyEnglishEvery === 0) {
    data.en = inEnglish;
    delete data.ja;
  }
  const isDraft = isFew ? index % 4 === 0 : chance(index, 'draft') % space.draftEvery === 0;
  return {
    id: index + 1,
    model,
    ...(space.subSpaces && index % 3 === 1 && { space: 'shop' }),
    created_at: timeAt(index),
    // An item that refers to a later one was edited after that was created.
    ...(hasLink && target > index && { updated_at: timeAt(target) }),
    ...(isDraft ? { draft: data } : { published: data }),
  };
}

/** A number that is the same every time, and has nothing to do with the others of the item. */
function chance(index: number, what: string): number {
  return createHash('sha1').update(`${what} ${index}`).digest().readUInt16BE();
}

/** Plain values for the fields that hold no reference. */
function fieldsOf(model: ModelName, title: string, n: number): SeedFields {
  const named = { [titleField(model)]: title };
  if (model === 'author') return { ...named, body: `<p>${n}</p>`, portrait: MEDIA[n % 3] };
  if (model === 'note') return { ...named, body: `<p>Note <b>${n}</b></p>` };
  if (model === 'event') return { ...named, starts_at: new Date(START + n * 60_000).toISOString() };
  if (model === 'extra') return named;
  const cover = n % 4 === 0 ? { cover: MEDIA[n % 2], tags: ['a', 'b'], featured: true } : {};
  return { ...named, ...cover, lead: `one\r\ntwo ${n}`, body: `<h2>${n}</h2>`, category: 'news' };
}
