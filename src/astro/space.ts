import type { Loader } from 'astro/loaders';
import { type Client, clientOf } from '../client/client.ts';
import type { Connect } from '../client/connection.ts';
import { LuidConfigError } from '../errors.ts';
import { checkModels } from '../models/check.ts';
import { checkDepth, createSchemas, type ModelSchema, type Schemas } from '../models/schema.ts';
import type { Depth, ModelMap } from '../models/types.ts';
import { type LiveOptions, liveLoader, type SpaceLiveLoader } from './live.ts';
import type { LoaderOptions } from './load.ts';
import { checkSettings, connectWith, type Settings, type SpaceOptions } from './settings.ts';

/** A loader whose schema is known to the compiler, so that `entry.data` has its full type. */
export type SpaceLoader<M extends ModelMap, N extends keyof M & string, D extends Depth> = Omit<
  Loader,
  'schema' | 'createSchema'
> & { schema: ModelSchema<M, N, D> };

export interface Space<M extends ModelMap = ModelMap> extends Schemas<M> {
  readonly models: M;
  readonly settings: Settings;
  /** How requests reach the service, with the key for published content or the one for drafts. */
  connect(options?: { drafts?: boolean }): Connect;
  /** A client of the service. Drafts must be asked for by name. */
  client(options?: { drafts?: boolean }): Client<M>;
  /** A loader for `defineCollection`: the entries of one model. */
  loader<N extends keyof M & string, D extends Depth = 1>(
    model: N,
    options?: LoaderOptions<M, N, D>,
  ): SpaceLoader<M, N, D>;
  /** A loader for `defineLiveCollection`: asks the service at request time. */
  liveLoader<N extends keyof M & string, D extends 0 | 1 | 2 | 3 = 1>(
    model: N,
    options?: LiveOptions<D>,
  ): SpaceLiveLoader<M, N, D>;
}

/** Declares a space: where it is, and its models. Nothing is asked of the service yet. */
export function defineSpace<const M extends ModelMap>(options: SpaceOptions<M>): Space<M> {
  const { models, apiKey, draftApiKey, ...settings } = options;
  const keys = { apiKey, draftApiKey };
  checkModels(models);
  checkSettings(settings);
  refuseSanitize(models);
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
    loader<N extends keyof M & string, D extends Depth = 1>(
      model: N,
      loaderOptions: LoaderOptions<M, N, D> = {},
    ): SpaceLoader<M, N, D> {
      const { depth = 1 as D } = loaderOptions;
      checkDepth(depth, `loader(${JSON.stringify(model)})`);
      checkId(models, model, loaderOptions.id);
      return {
        name: 'astro-luid',
        schema: schema<N, D>(model, { depth }),
        async load(context) {
          const { load } = await import('./load.ts');
          await load(space as unknown as Space, model, { ...loaderOptions, depth } as LoaderOptions, context);
        },
      };
    },
    liveLoader: (model, liveOptions) => liveLoader(space, model, liveOptions),
  };
  return space;
}

function checkId(models: ModelMap, model: string, id: unknown): void {
  const fields = Object.hasOwn(models, model) ? models[model] : undefined;
  if (!fields || typeof id !== 'string' || id.startsWith('_') || Object.hasOwn(fields, id)) return;
  throw new LuidConfigError(
    `loader(${JSON.stringify(model)}): id is ${JSON.stringify(id)}, which ${model} lacks`,
    {
      model,
      field: id,
      hint: `Use one of ${Object.keys(fields).join(', ')}, a function, or leave it out for the content id.`,
    },
  );
}

/** Content that is believed to be cleaned must not pass uncleaned: refused until cleaning is built. */
function refuseSanitize(models: ModelMap): void {
  const definition = JSON.stringify(models);
  if (!definition.includes('"sanitize":true')) return;
  throw new LuidConfigError('defineSpace: `sanitize` is not available in this version', {
    hint: 'Take it off the field, and clean the text yourself before you show it.',
  });
}
