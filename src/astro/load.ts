import { fileURLToPath } from 'node:url';
import type { LoaderContext } from 'astro/loaders';
import type * as z from 'zod';
import type { WireContent } from '../contract/content.ts';
import { type EntryIdRule, entryId } from '../entries/entry-id.ts';
import { type Issue, invalidContent } from '../entries/report.ts';
import { createResolver } from '../entries/resolve.ts';
import { LuidContentError, LuidError } from '../errors.ts';
import type { Content, Depth, ModelMap } from '../models/types.ts';
import { openReplica, type Replica } from '../replica/replica.ts';
import { milliseconds } from './settings.ts';
import type { Space } from './space.ts';

export interface LoaderOptions<
  M extends ModelMap = ModelMap,
  N extends keyof M & string = string,
  D extends Depth = Depth,
> {
  /** How many references in are content, from 0 to 10; further in they are ids. Default 1. */
  readonly depth?: D;
  /** What entries are called: a field, or a function. Default: the content id. */
  readonly id?: (keyof M[N] & string) | '_id' | ((item: Content<M, N, 0>) => string | number);
}

type Staged = Parameters<LoaderContext['store']['set']>[0];

/** Fills a collection, or throws an error in the form in which Astro shows it best. */
export async function load(...args: Parameters<typeof fill>): Promise<void> {
  try {
    await fill(...args);
  } catch (error) {
    // Astro prints a `hint` below the message, and ours ends with it already.
    if (LuidError.is(error)) Object.defineProperty(error, 'hint', { value: undefined });
    throw error;
  }
}

/** All that can fail comes first; then the store is changed in one go. */
async function fill(
  space: Space,
  model: string,
  options: LoaderOptions,
  context: LoaderContext,
): Promise<void> {
  const replica = await sharedSync(space, context);
  const { depth = 1, id: rule } = options;
  const parsedBy = `${JSON.stringify(space.models)} ${space.settings.strict}`;
  const state = context.generateDigest(`${replica.version} ${parsedBy} ${depth} ${String(rule)}`);
  // Astro clears the two together, so what the store holds is what this says.
  if (context.meta.get(STATE) === state) return;

  const all = await replica.items();
  const resolver = createResolver({
    models: space.models,
    items: all,
    onUndeclared: (place, id) =>
      context.logger.warn(`${place}: content ${id} is of a model that is not declared and stays an id`),
  });
  const items = [...all.values()].filter((item) => item._model === model);
  const ids = idsOf(items, rule as EntryIdRule);
  const candidates = items.map((item) => ({ id: ids.get(item) ?? '', data: resolver.resolve(item, depth) }));
  const staged = await stage(candidates, parsedBy, space.schema(model, { depth }), context);
  commit(context.store, new Set(ids.values()), staged);
  context.meta.set(STATE, state);
}

const STATE = 'astro-luid:state';

/** Astro starts all loaders at once: those of one space share one sync. */
const syncs = new WeakMap<Space, Promise<Replica>>();

function sharedSync(space: Space, { config, logger }: LoaderContext): Promise<Replica> {
  const running = syncs.get(space);
  if (running) return running;
  const { cache = {}, onError = 'fail', verify = {} } = space.settings;
  const started = openReplica({
    connect: space.connect(),
    models: space.models,
    space: space.settings.space,
    cache,
    cacheDir: fileURLToPath(new URL('astro-luid', config.cacheDir)),
    maxAge: verify === 'always' ? 0 : milliseconds(verify.maxAge ?? '24h', 'verify.maxAge'),
    audit: verify === 'always' || process.env.LUID_VERIFY === '1',
    offline: process.env.LUID_OFFLINE === '1',
    staleFor: staleFor(onError),
    logger,
  }).finally(() => syncs.delete(space));
  syncs.set(space, started);
  return started;
}

function staleFor(onError: NonNullable<Space['settings']['onError']>): number | undefined {
  if (onError === 'fail') return undefined;
  return onError === 'stale' ? Number.POSITIVE_INFINITY : milliseconds(onError.stale, 'onError.stale');
}

function idsOf(items: readonly WireContent[], rule: EntryIdRule): Map<WireContent, string> {
  const owners = new Map<string, WireContent>();
  const ids = new Map<WireContent, string>();
  for (const item of items) {
    const id = entryId(item, rule);
    const owner = owners.get(id);
    if (owner) {
      throw new LuidContentError(
        `${item._model} ${owner._id} "${owner._title}" and ${item._id} "${item._title}" have the same id ${JSON.stringify(id)}`,
        {
          model: item._model,
          id: item._id,
          hint: 'Make the field unique, or choose another `id` for the loader.',
        },
      );
    }
    owners.set(id, item);
    ids.set(item, id);
  }
  return ids;
}

interface Candidate {
  readonly id: string;
  readonly data: WireContent;
}

/** Parses what changed. The digest covers the resolved data and whatever decides how it is parsed. */
async function stage(
  candidates: readonly Candidate[],
  parsedBy: string,
  schema: z.ZodType,
  context: LoaderContext,
): Promise<Staged[]> {
  const staged: Staged[] = [];
  const invalid: { data: WireContent; issues: readonly Issue[] }[] = [];
  for (const { id, data } of candidates) {
    const digest = context.generateDigest(`${parsedBy} ${JSON.stringify(data)}`);
    if (context.store.get(id)?.digest === digest) continue;
    try {
      staged.push({ id, digest, data: await context.parseData({ id, data }) });
    } catch (error) {
      // Astro's error holds no issues. Where our own schema finds none, the user's own is at fault.
      const issues = schema.safeParse(data).error?.issues ?? [
        { path: [], message: (error as Error).message },
      ];
      invalid.push({ data, issues });
    }
  }
  if (invalid.length > 0) throw invalidContent(invalid);
  return staged;
}

function commit(store: LoaderContext['store'], ids: ReadonlySet<string>, staged: readonly Staged[]): void {
  for (const id of [...store.keys()]) if (!ids.has(id)) store.delete(id);
  for (const entry of staged) store.set(entry);
}
