import type { QueryParameters } from '../../client/http/canonical-url.ts';
import type { Connect } from '../../client/http/connection.ts';
import { SYSTEM_NAMES, type WireContent, type WireList } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import { API_KEY_HEADER } from '../../contract/parameters.ts';
import { SERVICES } from '../../contract/services.ts';
import { LuidRequestError } from '../../shared/errors.ts';
import { pickEvenly } from '../survey/find-languages.ts';
import { createServiceReader, type ResponseFacts, type ServiceReader } from './service-reader.ts';

/** What one key shows: the newest and the oldest 100 items, with references as ids. */
export interface KeySample {
  readonly reader: ServiceReader;
  readonly total: number;
  readonly items: readonly WireContent[];
  /** How many items a page can have: fewer than 100 if larger responses fail. */
  readonly pageSize: number;
  /** The known header that the key was accepted in, if it is not the configured one. */
  readonly otherHeader: string | undefined;
  /** The response with the newest items. */
  readonly response: ResponseFacts | undefined;
}

/** What the checks are made of. */
export interface Examined {
  readonly api: KeySample;
  /** Only if there is a key for drafts. */
  readonly drafts: KeySample | undefined;
  /** The newest 100 items of some sub-languages, by language key. */
  readonly languages: ReadonlyMap<string, WireList>;
}

export interface ExamineOptions {
  readonly api: Connect;
  readonly drafts?: Connect | undefined;
  /** Sub-languages that are known already. */
  readonly languages?: readonly string[] | undefined;
}

/** How many items are asked for their languages, and how many languages are read. */
const LANGUAGE_ITEMS = 8;
const MAX_LANGUAGES = 3;

/** Tried one after the other: the size of responses may be limited. */
const PAGE_SIZES = [LIMITS.pageSize, 25, 5, 1];

export async function readSamples({ api, drafts, languages = [] }: ExamineOptions): Promise<Examined> {
  const sample = await readInAnyHeader(api);
  const found = languages.length > 0 ? languages : await findSubLanguages(sample);
  const pages: [string, WireList][] = [];
  for (const lang of found.slice(0, MAX_LANGUAGES)) {
    pages.push([lang, await readPage(sample.reader, { lang })]);
  }
  return {
    api: sample,
    drafts: drafts && (await readInAnyHeader(drafts)),
    languages: new Map(pages),
  };
}

const KNOWN_HEADERS = [API_KEY_HEADER, ...Object.values(SERVICES).map(({ apiKeyHeader }) => apiKeyHeader)];

/** Where the key is refused, it may be the header that is wrong. */
async function readInAnyHeader(connect: Connect): Promise<KeySample> {
  try {
    return await readSample(createServiceReader(connect));
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    const { apiKeyHeader } = await connect();
    for (const header of KNOWN_HEADERS.filter((known) => known !== apiKeyHeader)) {
      const reader = createServiceReader(async () => ({ ...(await connect()), apiKeyHeader: header }));
      const sample = await readSample(reader).catch((other) => {
        if (!isUnauthorized(other)) throw other;
      });
      if (sample) return { ...sample, otherHeader: header };
    }
    throw error;
  }
}

const isUnauthorized = (error: unknown) => LuidRequestError.is(error) && error.status === 401;

async function readSample(reader: ServiceReader): Promise<KeySample> {
  const newest = await readPage(reader, { order: '-_created_at' });
  const response = reader.seen.lastResponse;
  const oldest =
    newest.total > newest.data.length ? await readPage(reader, { order: '_created_at' }) : undefined;
  const items = new Map([...newest.data, ...(oldest?.data ?? [])].map((item) => [item._id, item]));
  const { total, limit: pageSize } = newest;
  return { reader, total, pageSize, items: [...items.values()], otherHeader: undefined, response };
}

async function readPage(reader: ServiceReader, parameters: QueryParameters): Promise<WireList> {
  let refusal: unknown;
  for (const limit of PAGE_SIZES) {
    try {
      return await reader.list({ ...parameters, depth: 0, limit });
    } catch (error) {
      if (!mayBeTooLarge(error)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

/** Whether a smaller page may be accepted: how a service refuses large ones is not documented. */
function mayBeTooLarge(error: unknown): boolean {
  if (!LuidRequestError.is(error)) return false;
  return error.status === undefined || error.status === 413 || error.status >= 500;
}

/** The languages of some items, which only a read by id returns (§2.2). */
async function findSubLanguages({ reader, items }: KeySample): Promise<string[]> {
  const models = [...Map.groupBy(items, ({ _model }) => _model).values()];
  const perModel = Math.max(2, Math.ceil(LANGUAGE_ITEMS / models.length));
  const chosen = models.flatMap((own) => pickEvenly(own, perModel)).slice(0, LANGUAGE_ITEMS);
  const found = new Set<string>();
  let main: string | undefined;
  for (const { _id } of chosen) {
    const langs = (await reader.get(_id, { depth: 0, include: '_langs', select: '_langs' }))?._langs;
    main ??= langs?.current;
    for (const lang of langs?.available ?? []) found.add(lang);
  }
  return [...found].filter((lang) => lang !== main);
}

/** The fields of an item, without system properties. */
export function fieldsOfItem(item: WireContent): [luid: string, value: unknown][] {
  return Object.entries(item).filter(([luid]) => !SYSTEM_NAMES.has(luid));
}

/** The ids of referenced content: references are the only numbers in content (§2.2). */
export function referencedIds(item: WireContent): number[] {
  return fieldsOfItem(item).flatMap(([, value]) => numbersIn(value));
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
