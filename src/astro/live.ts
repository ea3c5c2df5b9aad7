import type { LiveLoader } from 'astro/loaders';
import type { Connect } from '../client/connection.ts';
import { getContent, listContents } from '../client/contents.ts';
import type { WireContent } from '../contract/content.ts';
import { fieldPath } from '../entries/report.ts';
import { LuidContentError, LuidError, LuidRequestError } from '../errors.ts';
import { formatsOf } from '../models/formats.ts';
import type { Schemas } from '../models/schema.ts';
import type { Content, ModelMap } from '../models/types.ts';

export interface LiveOptions<D extends 0 | 1 | 2 | 3 = 1> {
  /** How many references in are content. The service resolves them, to 3 at most. Default 1. */
  readonly depth?: D;
  /** Read drafts too, with the key for drafts. */
  readonly drafts?: boolean;
}

export interface LiveCollectionFilter {
  readonly limit?: number;
  readonly offset?: number;
  readonly order?: string;
}

export type SpaceLiveLoader<
  M extends ModelMap,
  N extends keyof M & string,
  D extends 0 | 1 | 2 | 3,
> = LiveLoader<Content<M, N, D>, { id: string }, LiveCollectionFilter, LuidError>;

/** What the live loader needs of a space. */
interface LiveSpace<M extends ModelMap> extends Schemas<M> {
  readonly models: M;
  connect(options?: { drafts?: boolean }): Connect;
}

/** Entries of one model, asked of the service when a page is requested. */
export function liveLoader<M extends ModelMap, N extends keyof M & string, D extends 0 | 1 | 2 | 3 = 1>(
  space: LiveSpace<M>,
  model: N,
  options: LiveOptions<D> = {},
): SpaceLiveLoader<M, N, D> {
  const depth = options.depth ?? (1 as D);
  const schema = space.schema(model, { depth });
  const connect = space.connect({ drafts: options.drafts ?? false });
  const shape = { depth, ...formatsOf(space.models[model] ?? {}) };

  function entryOf(item: WireContent) {
    const result = schema.safeParse(item);
    if (result.success) return { id: String(item._id), data: result.data as Content<M, N, D> };
    const issues = result.error.issues.map(({ path, message }) => `${fieldPath(path)}: ${message}`);
    throw new LuidContentError(
      `${model} ${item._id} "${item._title}" does not fit its model: ${issues.join('; ')}`,
      {
        model,
        id: item._id,
      },
    );
  }

  return {
    name: 'astro-luid',
    async loadEntry({ filter }) {
      const id = Number(filter.id);
      if (!Number.isSafeInteger(id) || id <= 0) return undefined;
      try {
        const item = await getContent(connect, id, shape);
        return item._model === model ? entryOf(item) : undefined;
      } catch (error) {
        if (LuidRequestError.is(error) && error.status === 404) return undefined;
        return { error: asLuidError(error) };
      }
    },
    async loadCollection({ filter }) {
      try {
        const { data } = await listContents(connect, { ...filter, ...shape, model });
        return { entries: data.map(entryOf) };
      } catch (error) {
        return { error: asLuidError(error) };
      }
    },
  };
}

function asLuidError(error: unknown): LuidError {
  return LuidError.is(error)
    ? error
    : new LuidError(`The live loader failed: ${String(error)}`, { cause: error });
}
