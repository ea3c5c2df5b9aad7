import type { Loader } from 'astro/loaders';
import * as z from 'zod';
import { type Client, clientOf } from '../client/client.ts';
import type { Connect } from '../client/connection.ts';
import type { ServiceDepth } from '../client/query-types.ts';
import { checkModels } from '../models/check.ts';
import { createSchemas, type ModelSchema, type Schemas } from '../models/schema.ts';
import type { Depth, ModelMap } from '../models/types.ts';
import { type LiveOptions, liveLoader, type SpaceLiveLoader } from './live.ts';
import { type LoadedSchema, type LoaderOptions, planLoader } from './loader-options.ts';
import { checkSettings, connectWith, type Settings, type SpaceOptions } from './settings.ts';

/** A loader whose schema is known to the compiler, so that `entry.data` has its full type. */
type TypedLoader<S> = Omit<Loader, 'schema' | 'createSchema'> & { schema: S };

export interface Space<M extends ModelMap = ModelMap> extends Schemas<M> {
  readonly models: M;
  readonly settings: Settings;
  /** How requests reach the service, with the key for published content or the one for drafts. */
  connect(options?: { drafts?: boolean }): Connect;
  /** A client of the service. Drafts must be asked for by name. */
  client(options?: { drafts?: boolean }): Client<M>;
  /** A loader for `defineCollection`: the entries of one model. */
  loader<
    N extends keyof M & string,
    D extends Depth = 1,
    const R extends object = Record<never, never>,
    const L extends string = never,
    const B = unknown,
  >(model: N, options?: LoaderOptions<M, N, D, R, L, B>): TypedLoader<LoadedSchema<M, N, D, R, L, B>>;
  /** One collection a model, called like it, for those who want no more. */
  collections(): {
    [N in keyof M & string]: { type: 'content_layer'; loader: TypedLoader<ModelSchema<M, N, 1>> };
  };
  /** A loader for `defineLiveCollection`: asks the service at request time. */
  liveLoader<N extends keyof M & string, D extends ServiceDepth = 1>(
    model: N,
    options?: LiveOptions<D, M, N>,
  ): SpaceLiveLoader<M, N, D>;
}

/** Declares a space: where it is, and its models. Nothing is asked of the service yet. */
export function defineSpace<const M extends ModelMap>(options: SpaceOptions<M>): Space<M> {
  const { models, apiKey, draftApiKey, ...settings } = options;
  const keys = { apiKey, draftApiKey };
  checkModels(models);
  checkSettings(settings);
  const { schema } = createSchemas<M>(models, { strict: settings.strict ?? false });
  const connections = {
    published: connectWith(settings, keys),
    drafts: connectWith(settings, keys, { drafts: true }),
  };

  const space: Space<M> = {
    models,
    settings,
    schema,
    connect: ({ drafts = false } = {}) => (drafts ? connections.drafts : connections.published),
    client: (clientOptions) => clientOf(space.connect(clientOptions), models as M),
    loader(model, loaderOptions = {}) {
      const plan = planLoader(models, settings, model, loaderOptions as unknown as LoaderOptions);
      return {
        name: 'astro-luid',
        // Items are validated once, however many entries embed them, before Astro sees any.
        schema: z.any() as never,
        async load(context) {
          const { load } = await import('./load.ts');
          await load(space as unknown as Space, plan, context);
        },
      };
    },
    collections: () =>
      Object.fromEntries(
        Object.keys(models).map((model) => [model, { type: 'content_layer', loader: space.loader(model) }]),
      ) as never,
    liveLoader: <N extends keyof M & string, D extends ServiceDepth = 1>(
      model: N,
      liveOptions?: LiveOptions<D, M, N>,
    ) => liveLoader<M, N, D>(space, model, liveOptions),
  };
  return space;
}
