import type { LiveLoader, Loader } from 'astro/loaders';
import * as z from 'zod';
import { clientOnDemand } from '../client/client-on-demand.ts';
import type { Connect } from '../client/http/connection.ts';
import type { ServiceDepth } from '../client/query/query-types.ts';
import { checkModels } from '../models/check.ts';
import { createSchemas, type ModelSchema } from '../models/schema.ts';
import type { Depth, ModelMap } from '../models/types.ts';
import { boolean, checkOptions } from '../options.ts';
import { SpaceRuntime } from '../space/runtime.ts';
import type { RunningSpace, SpaceCore } from '../space/space.ts';
import { checkSpaceOptions, connectWith, type SpaceOptions } from '../space/space-options.ts';
import { errorForAstro } from './error-for-astro.ts';
import type { AllReplicaLiveOptions, ReplicaLiveLoader } from './live/from-replica/replica-live-options.ts';
import type { LiveOptions, SpaceLiveLoader } from './live/live.ts';
import { liveLoaderOnDemand, replicaLiveLoaderOnDemand } from './live/live-on-demand.ts';
import type { BacklinksOption } from './loader/backlink-options.ts';
import type { FieldNames } from './loader/field-names.ts';
import {
  type LoadedSchema,
  type LoaderOptions,
  type OneLanguageOption,
  planLoader,
} from './loader/loader-options.ts';
import type { PreviewContext, PreviewEntry, WhichEntry } from './preview/get-preview-entry.ts';

/** A loader whose schema is known to the compiler, so that `entry.data` has its full type. */
type TypedLoader<S> = Omit<Loader, 'schema' | 'createSchema'> & { schema: S };

/** A space with models `M` and language keys `L`. */
export interface Space<M extends ModelMap = ModelMap, L extends string = string> extends SpaceCore<M, L> {
  /** A loader for `defineCollection`: the entries of one model. */
  loader<
    N extends keyof M & string,
    D extends Depth = 1,
    const References extends object = Record<never, never>,
    const Lang extends L | undefined = never,
    const Neighbours = unknown,
    const Kept extends readonly FieldNames<M[N]>[] | undefined = undefined,
    const Backlinks extends BacklinksOption<M> = Record<never, never>,
  >(
    model: N,
    options?: LoaderOptions<M, N, D, References, Lang, Neighbours, Kept, Backlinks> & OneLanguageOption,
  ): TypedLoader<LoadedSchema<M, N, D, References, Lang, Neighbours, Kept, Backlinks>>;
  /** One default collection per model, named like it. */
  collections(): {
    [N in keyof M & string]: { type: 'content_layer'; loader: TypedLoader<ModelSchema<M, N, 1>> };
  };
  /** A loader for `defineLiveCollection`: entries from a copy of the content in this server, kept up to date. */
  liveLoader<
    N extends keyof M & string,
    D extends Depth = 1,
    const References extends object = Record<never, never>,
    const Lang extends L | undefined = never,
    const Neighbours = unknown,
    const Kept extends readonly FieldNames<M[N]>[] | undefined = undefined,
    const Backlinks extends BacklinksOption<M> = Record<never, never>,
  >(
    model: N,
    options: AllReplicaLiveOptions<M, N, D, References, Lang, Neighbours, Kept, Backlinks>,
  ): ReplicaLiveLoader<M, N, D, References, Lang, Neighbours, Kept, Backlinks>;
  /** A loader for `defineLiveCollection`: requests entries from the service when a page is requested. */
  liveLoader<N extends keyof M & string, D extends ServiceDepth = 1>(
    model: N,
    options?: LiveOptions<D, M, N, L>,
  ): SpaceLiveLoader<M, N, D>;
  /**
   * The draft that a page shows in preview, from a copy of the drafts in this server; `undefined` outside of the
   * preview: see `luid(space, { preview })`.
   */
  getPreviewEntry<
    N extends keyof M & string,
    D extends Depth = 1,
    const References extends object = Record<never, never>,
    const Lang extends L | undefined = never,
    const Neighbours = unknown,
    const Kept extends readonly FieldNames<M[N]>[] | undefined = undefined,
    const Backlinks extends BacklinksOption<M> = Record<never, never>,
  >(
    astro: PreviewContext,
    model: N,
    options: AllReplicaLiveOptions<M, N, D, References, Lang, Neighbours, Kept, Backlinks> & WhichEntry,
  ): Promise<
    PreviewEntryOf<N, ReplicaLiveLoader<M, N, D, References, Lang, Neighbours, Kept, Backlinks>> | undefined
  >;
  /** The same, from the service: with any option of `liveLoader`, and the entry that the parameters of the route name. */
  getPreviewEntry<N extends keyof M & string, D extends ServiceDepth = 1>(
    astro: PreviewContext,
    model: N,
    options?: LiveOptions<D, M, N, L> & WhichEntry,
  ): Promise<PreviewEntryOf<N, SpaceLiveLoader<M, N, D>> | undefined>;
}

type PreviewEntryOf<N extends string, Loader> =
  Loader extends LiveLoader<infer Data, infer _, infer __, infer ___> ? PreviewEntry<N, Data> : never;

/** Declares a space: its URL, keys and models. Nothing is requested yet. */
export function defineSpace<const M extends ModelMap, const L extends string = never>(
  options: SpaceOptions<M, L>,
): Space<M, L> {
  checkDefinition(options);
  const { models, apiKey, draftApiKey, ...settings } = options;
  const keys = { apiKey, draftApiKey };
  const { schema } = createSchemas<M>(models, { strict: settings.strict ?? false });
  const connections = new Map<string, Connect>();
  const runtime = new SpaceRuntime();

  const running = (): RunningSpace => ({ ...(space as unknown as SpaceCore), runtime, keys });
  const space: Space<M, L> = {
    models,
    settings,
    schema,
    connect(connectOptions = {}) {
      const key = `${connectOptions.drafts} ${connectOptions.onRequest}`;
      const connect = connections.get(key) ?? connectWith(settings, keys, connectOptions);
      connections.set(key, connect);
      return connect;
    },
    client(clientOptions = {}) {
      checkOptions('space.client', clientOptions, { drafts: boolean });
      return clientOnDemand(space.connect(clientOptions), models as M, settings.space);
    },
    loader(model, loaderOptions = {}) {
      const plan = planLoader(models, settings, model, loaderOptions as unknown as LoaderOptions);
      return {
        name: 'astro-luid',
        // Accepts anything: `load` validates each item once, however many entries embed it.
        schema: z.any() as never,
        async load(context) {
          // Built as `#load`, which package.json resolves to load-in-node.ts, or to a stub outside of Node.
          const { load } = await import('./loader/load.ts');
          await load(running(), plan, context);
        },
      };
    },
    collections: () =>
      Object.fromEntries(
        Object.keys(models).map((model) => [model, { type: 'content_layer', loader: space.loader(model) }]),
      ) as never,
    liveLoader: ((model: keyof M & string, { from, ...liveOptions }: { from?: unknown } = {}) =>
      from === undefined
        ? liveLoaderOnDemand(space, model, liveOptions)
        : replicaLiveLoaderOnDemand(running(), model, { from, ...liveOptions })) as Space<M, L>['liveLoader'],
    getPreviewEntry: (async (astro: PreviewContext, model: string, options: WhichEntry = {}) => {
      const { findPreviewEntry } = await import('./preview/get-preview-entry.ts');
      const createLoader = (live: { from?: unknown }, isForOneRequest: boolean) =>
        live.from === undefined
          ? liveLoaderOnDemand(space, model, live as object)
          : replicaLiveLoaderOnDemand(running(), model, live, { isPreview: true, isForOneRequest });
      return findPreviewEntry(running(), astro, model, options, createLoader as never);
    }) as Space<M, L>['getPreviewEntry'],
  };
  return space;
}

/** A space is often defined while Astro loads its config. */
function checkDefinition(options: SpaceOptions<ModelMap>): void {
  try {
    checkSpaceOptions(options);
    checkModels(options.models);
  } catch (error) {
    throw errorForAstro(error);
  }
}
