import pLimit from 'p-limit';
import { isNeverSent } from '../../client/http/errors/explain-failure.ts';
import { CONCURRENT_READS } from '../../client/http/limits/rate-limiter.ts';
import { chunks } from '../../contract/chunks.ts';
import type { WireContent, WireList } from '../../contract/content.ts';
import { type TimeProperty, timeOf } from '../../contract/item-times.ts';
import { LuidContentError, LuidError, LuidRequestError, LuidResponseError } from '../../shared/errors.ts';
import { printable } from '../../shared/printable.ts';
import { idsOf, type Page } from './page-bytes.ts';
import type { PageSizes } from './page-sizes.ts';

/** Part of a list. */
export interface Part {
  readonly offset: number;
  readonly limit: number;
  readonly select?: string;
}

export interface PartOptions {
  /** Whether a failure is expected: retry once only. */
  readonly isTrial: boolean;
  readonly bypassCdn: boolean;
}

/** A list, and how parts of it are requested. */
export interface LimitedList {
  /** The name of its page size. */
  readonly name: string;
  readonly read: (part: Part, options: PartOptions) => Promise<Page>;
}

interface LimitedReaderOptions {
  readonly sizes: PageSizes;
  /** Sends a small request, with all retries. Throws if the service is not available. */
  readonly checkService: () => Promise<unknown>;
  /** Ends all requests. */
  readonly signal: AbortSignal;
}

interface PartsOptions {
  readonly by: TimeProperty;
  /** How many items are likely to work. */
  readonly size: number;
  readonly bypassCdn: boolean;
  readonly mayReorder: boolean;
}

/** How often the parts of a page are read until they adjoin. */
const MAX_ROUNDS = 20;
const NAMES = '_id,_model,_title';

/**
 * Reads what the service does not send at once in smaller parts, down to one item. Responses are limited in size and
 * time, and what an excess looks like is not specified: an error of the server, a body that is cut off, a time-out. Each
 * of them may also mean that the service is down. A small request finds out, so that no more requests are sent then.
 */
export class LimitedReader {
  readonly #sizes: PageSizes;
  readonly #options: LimitedReaderOptions;
  /** A page in parts takes several requests: the more pages at once, the more changes between these. */
  readonly #pagesInParts = pLimit(CONCURRENT_READS);
  #checking: Promise<boolean> | undefined;

  constructor(options: LimitedReaderOptions) {
    this.#sizes = options.sizes;
    this.#options = options;
  }

  /** A page of a list in ascending order of a time; in parts that overlap by one item, if it is too much at once. */
  async page(list: LimitedList, by: TimeProperty, page: Part, bypassCdn: boolean): Promise<Page> {
    let size = Math.min(this.#sizes.of(list.name), page.limit);
    if (size === page.limit) {
      const whole = await this.#try(list, page, bypassCdn);
      if (whole) return whole;
      this.#sizes.failed(list.name, size);
      size = half(size);
    }
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const how = { by, size, bypassCdn: bypassCdn || round > 0, mayReorder: round > 0 };
      const joined = await this.#pagesInParts(() => this.#readParts(list, page, how));
      if (joined) return joined;
    }
    throw new LuidResponseError(
      `${list.name.replaceAll(',', ', ')}: content changed faster than it could be read`,
      {
        hint: 'Its pages are too large for the service, so they are read in parts. Try again when there are fewer edits.',
      },
    );
  }

  /** The first items of a list: a full page, or fewer if that is too much at once. */
  async first(list: LimitedList, bypassCdn: boolean): Promise<WireList> {
    for (;;) {
      const limit = this.#sizes.of(list.name);
      const items = await this.#try(list, { offset: 0, limit }, bypassCdn);
      if (items) return items;
      this.#sizes.set(list.name, half(limit));
    }
  }

  /** Items by id, in as many requests as necessary. */
  async byId(
    name: string,
    ids: readonly number[],
    read: (
      ids: readonly number[],
      options: Pick<PartOptions, 'isTrial'> & { select?: string },
    ) => Promise<WireList>,
  ): Promise<WireContent[]> {
    const readSome = async (some: readonly number[]): Promise<WireContent[]> => {
      const list: LimitedList = {
        name,
        read: ({ select }, { isTrial }) => read(some, { isTrial, ...(select && { select }) }),
      };
      const found = await this.#try(list, { offset: 0, limit: some.length }, true);
      if (found) return found.data;
      const middle = half(some.length);
      return [...(await readSome(some.slice(0, middle))), ...(await readSome(some.slice(middle)))];
    };
    const size = this.#sizes.of(name);
    return (await Promise.all(chunks([...ids], size).map(readSome))).flat();
  }

  /**
   * Reads a page in parts. Each starts with the last item of the one before, as pages do. `undefined` if they do not
   * adjoin, because of an edit, or because the service orders equal times differently each time: with `mayReorder`, parts
   * end with a second.
   */
  async #readParts(
    list: LimitedList,
    { offset, limit }: Part,
    how: PartsOptions,
  ): Promise<WireList | undefined> {
    const { by, bypassCdn, mayReorder } = how;
    const items: WireContent[] = [];
    let { size } = how;
    let total: number | undefined;
    let endsSecond = false;
    /** Up to where the part that failed last would have reached. */
    let failedUntil = limit;
    for (;;) {
      const known = items.length;
      const start = Math.max(0, known - 1);
      const next = { offset: offset + start, limit: Math.min(size, limit - start) };
      const part =
        known > 0 && size === 1
          ? await this.#readNext(list, offset + known, bypassCdn)
          : await this.#try(list, next, bypassCdn);
      if (!part) {
        // One step per page: one with large items among many others does not make all of them smaller.
        if (size === how.size) this.#sizes.failed(list.name, next.limit);
        size = half(next.limit);
        failedUntil = start + next.limit;
        continue;
      }
      total ??= part.total;
      const adjoins =
        known === 0 ||
        (endsSecond ? startsWithNextSecond(items, part.data, by) : isSameItem(items, part.data));
      if (part.total !== total || !adjoins) return undefined;
      items.push(...part.data.slice(known > 0 ? 1 : 0));
      if (items.length >= Math.min(limit, total - offset)) return { total, offset, limit, data: items };
      endsSecond = mayReorder && removeLastSecond(items, by, known);
      if (items.length >= failedUntil) size = Math.min(2 * size, this.#sizes.of(list.name));
    }
  }

  /** An item on its own, after the id of the one before it. */
  async #readNext(list: LimitedList, offset: number, bypassCdn: boolean): Promise<WireList> {
    const options = { isTrial: false, bypassCdn: true };
    const pair = await list.read({ offset: offset - 1, limit: 2, select: '_id' }, options);
    if (pair.data.length < 2) return pair;
    const next = (await this.#try(list, { offset, limit: 1 }, bypassCdn)) as WireList;
    const isSame = next.data[0]?._id === pair.data[1]?._id && next.total === pair.total;
    return { ...pair, data: isSame ? [pair.data[0] as WireContent, ...next.data] : [] };
  }

  /** `undefined`: the service is available, but this is too much at once. Throws for a single item. */
  async #try(list: LimitedList, part: Part, bypassCdn: boolean): Promise<Page | undefined> {
    try {
      const items = await list.read(part, { isTrial: true, bypassCdn });
      if (idsOf(items).length === part.limit) this.#sizes.worked(list.name, part.limit);
      return items;
    } catch (error) {
      if (this.#options.signal.aborted || isFinal(error)) throw error;
      const mayBeSize = mayBeTooLarge(error);
      if (mayBeSize && !(await this.#isServiceUp())) throw error;
      if (mayBeSize && part.limit > 1) return undefined;
      return this.#insist(list, part, bypassCdn);
    }
  }

  /** With all retries. */
  async #insist(list: LimitedList, part: Part, bypassCdn: boolean): Promise<Page> {
    try {
      return await list.read(part, { isTrial: false, bypassCdn });
    } catch (error) {
      if (part.limit > 1 || this.#options.signal.aborted || !mayBeTooLarge(error)) throw error;
      const { data } = await list.read({ ...part, select: NAMES }, { isTrial: false, bypassCdn: true });
      throw data[0] ? tooLarge(data[0], error as LuidError) : error;
    }
  }

  /** Once for all requests that fail at the same time. */
  #isServiceUp(): Promise<boolean> {
    this.#checking ??= this.#options
      .checkService()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }
}

function half(size: number): number {
  return Math.max(1, Math.floor(size / 2));
}

/** Whether a part begins with the last item. */
function isSameItem(items: readonly WireContent[], [first]: readonly WireContent[]): boolean {
  return first !== undefined && first._id === items.at(-1)?._id;
}

/** Whether a part begins with the last item of a second, in any order, and goes on with the next second. */
function startsWithNextSecond(
  items: readonly WireContent[],
  [first, next]: readonly WireContent[],
  by: TimeProperty,
): boolean {
  if (!first || !next) return false;
  const last = secondOf(items.at(-1) as WireContent, by);
  return secondOf(first, by) === last && secondOf(next, by) > last;
}

/** Removes the items of the last second, unless nothing that is new would be left. Returns whether it did. */
function removeLastSecond(items: WireContent[], by: TimeProperty, known: number): boolean {
  const last = secondOf(items.at(-1) as WireContent, by);
  const end = items.findLastIndex((item) => secondOf(item, by) !== last) + 1;
  if (end <= known) return false;
  items.length = end;
  return true;
}

function secondOf(item: WireContent, by: TimeProperty): number {
  return Math.floor(timeOf(item, by) / 1000);
}

/** Whether a response may be missing because it would have been too large or too late. */
function mayBeTooLarge(error: unknown): boolean {
  if (!LuidError.is(error)) return false;
  const { status } = error;
  // JSON that is cut off.
  if (LuidResponseError.is(error)) return (error.cause as Error | undefined)?.name === 'SyntaxError';
  if (status === undefined) return !isNeverSent(error);
  return status === 408 || status === 413 || (status >= 500 && status !== 501);
}

/** Whether sending the request again cannot help. */
function isFinal(error: unknown): boolean {
  if (!LuidRequestError.is(error) && !LuidResponseError.is(error)) return true;
  const { status } = error;
  if (status === undefined || status === 200 || mayBeTooLarge(error)) return false;
  return status !== 425;
}

function tooLarge({ _id, _model, _title }: WireContent, error: LuidError): LuidContentError {
  const [problem = ''] = error.message.split('\n');
  return new LuidContentError(
    `${_model} ${_id} "${printable(String(_title ?? ''), 60)}" cannot be read, even alone: ${problem}`,
    {
      model: _model,
      id: _id,
      cause: error,
      hint:
        'The service limits the size of a response and its time. Shorten the item or split it, or use a smaller format for ' +
        "its texts: field.flexibleText({ format: 'text' }).",
    },
  );
}
