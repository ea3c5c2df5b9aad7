import { isNeverSent } from '../../client/http/errors/explain-failure.ts';
import { chunks } from '../../contract/chunks.ts';
import type { WireContent, WireList } from '../../contract/content.ts';
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

/** Requests those of these items that exist. */
export type ReadItems = (
  ids: readonly number[],
  options: PartOptions & { readonly select?: string },
) => Promise<WireList>;

interface LimitedReaderOptions {
  readonly sizes: PageSizes;
  /** Sends a small request, with all retries. Throws if the service is not available. */
  readonly checkService: () => Promise<unknown>;
  /** Ends all requests. */
  readonly signal: AbortSignal;
}

/** How often the ids of a page are read until all of its items are found. */
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
  #checking: Promise<boolean> | undefined;

  constructor(options: LimitedReaderOptions) {
    this.#sizes = options.sizes;
    this.#options = options;
  }

  /** A page of a list. If it is too much at once, its ids are read, which is little, and then its items by id. */
  async page(list: LimitedList, page: Part, readByIds: ReadItems, bypassCdn: boolean): Promise<Page> {
    if (this.#sizes.of(list.name) >= page.limit) {
      const whole = await this.#try(list, page, bypassCdn);
      if (whole) return whole;
      this.#sizes.failed(list.name, page.limit);
    }
    for (let round = 0; round < MAX_ROUNDS; round++) {
      // Copies of the CDN may be of different times.
      const bypass = bypassCdn || round > 0;
      const only = { ...page, select: '_id' };
      const ids = (await this.#try(list, only, bypass)) ?? (await this.#insist(list, only, bypass));
      const wanted = ids.data.map(({ _id }) => _id);
      const size = Math.min(this.#sizes.of(list.name), half(page.limit));
      const items = await this.#inChunks(list.name, wanted, size, readByIds, bypass);
      const found = new Map(items.map((item) => [item._id, item]));
      const data = wanted.flatMap((id) => found.get(id) ?? []);
      if (data.length === wanted.length) return { ...ids, data, isById: true };
    }
    throw new LuidResponseError(
      `${list.name.replaceAll(',', ', ')}: content changed faster than it could be read`,
      {
        hint: 'Its pages are too large for the service, so their items are read by id. Try again when there are fewer edits.',
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
  byId(name: string, ids: readonly number[], read: ReadItems): Promise<WireContent[]> {
    return this.#inChunks(name, ids, this.#sizes.of(name), read, true);
  }

  async #inChunks(
    name: string,
    ids: readonly number[],
    size: number,
    read: ReadItems,
    bypassCdn: boolean,
  ): Promise<WireContent[]> {
    const readSome = async (some: readonly number[], isChunk: boolean): Promise<WireContent[]> => {
      const list: LimitedList = {
        name,
        read: ({ select }, how) => read(some, { ...how, ...(select && { select }) }),
      };
      const found = await this.#try(list, { offset: 0, limit: some.length }, bypassCdn);
      if (found) return found.data;
      // One step per chunk: one with large items among many others does not make all of them smaller.
      if (isChunk) this.#sizes.failed(name, some.length);
      const middle = half(some.length);
      const first = await readSome(some.slice(0, middle), false);
      return [...first, ...(await readSome(some.slice(middle), false))];
    };
    return (await Promise.all(chunks([...ids], size).map((some) => readSome(some, true)))).flat();
  }

  /** `undefined`: the service is available, but this is too much at once. Throws for a single item. */
  async #try(list: LimitedList, part: Part, bypassCdn: boolean): Promise<Page | undefined> {
    try {
      const items = await list.read(part, { isTrial: true, bypassCdn });
      if (!part.select && idsOf(items).length === part.limit) this.#sizes.worked(list.name, part.limit);
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
