import type { Loader } from 'astro/loaders';
import type * as astro from 'astro/zod';
import * as z from 'zod';
import { clientOnDemand } from '../client/client-on-demand.ts';
import type { Connect } from '../client/http/connection.ts';
import { checkModels } from '../models/check.ts';
import { createSchemas } from '../models/schema.ts';
import type { Content, ModelMap } from '../models/types.ts';
import { boolean, checkOptions } from '../shared/options.ts';
import type { AstroEnvironment } from '../space/astro-environment.ts';
import { SpaceRuntime } from '../space/runtime.ts';
import type { RunningSpace, SpaceCore } from '../space/space.ts';
import { checkSpaceOptions, connectWith, type SpaceOptions } from '../space/space-options.ts';
import type { LoadedData, NoOptions } from './collection/options/loaded-data.ts';
import {
  type CheckedOptions,
  checkLoaderOptions,
  type LoaderOptions,
} from './collection/options/loader-options.ts';
import { errorForAstro } from './error-for-astro.ts';
import type { SpaceLiveLoader, SpaceLiveOptions } from './live/live-options.ts';
import { spaceLiveLoader } from './live/space-live-loader.ts';
import type {
  PreviewContext,
  PreviewData,
  PreviewEntry,
  PreviewOptions,
} from './preview/get-preview-entry.ts';

/** A loader whose schema is known to the compiler, so that `entry.data` has its full type. */
type TypedLoader<Data> = Omit<Loader, 'schema' | 'createSchema'> & { schema: astro.ZodType<Data> };

/** A space with models `M` and language keys `L`. */
export interface Space<M extends ModelMap = ModelMap, L extends string = string> extends SpaceCore<M, L> {
  /** A loader for `defineCollection`: the entries of one model. */
  loader<N extends keyof M & string>(model: N): TypedLoader<Content<M, N>>;
  loader<N extends keyof M & string, const O extends LoaderOptions<M, N, L> | object>(
    model: N,
    options: CheckedOptions<M[N], O, LoaderOptions<M, N, L>>,
  ): TypedLoader<LoadedData<M, N, O>>;
  /** One default collection per model, named like it. */
  collections(): {
    [N in keyof M & string]: { type: 'content_layer'; loader: TypedLoader<Content<M, N>> };
  };
  /**
   * A loader for `defineLiveCollection`: entries from a copy of the content in this server, which is kept up to date; with
   * `from: 'service'`, requested from the service when a page is requested.
   */
  liveLoader<N extends keyof M & string>(model: N): SpaceLiveLoader<M, N, NoOptions>;
  liveLoader<N extends keyof M & string, const O extends SpaceLiveOptions<M, N, L> | object>(
    model: N,
    options: CheckedOptions<M[N], O, SpaceLiveOptions<M, N, L>>,
  ): SpaceLiveLoader<M, N, O>;
  /**
   * The draft that a page shows in preview, requested from the service; with `from: 'replica'`, from a copy of the drafts
   * in this server. `undefined` outside of the preview: see `luid(space, { preview })`.
   */
  getPreviewEntry<N extends keyof M & string>(
    astro: PreviewContext,
    model: N,
  ): Promise<PreviewEntry<Content<M, N>> | undefined>;
  getPreviewEntry<N extends keyof M & string, const O extends PreviewOptions<M, N, L> | object>(
    astro: PreviewContext,
    model: N,
    options: CheckedOptions<M[N], O, PreviewOptions<M, N, L>>,
  ): Promise<PreviewEntry<PreviewData<M, N, O>> | undefined>;
}

/** Declares a space: its URL, keys and models. Nothing is requested yet. */
export function defineSpace<const M extends ModelMap, const L extends string = never>(
  options: SpaceOptions<M, L>,
): Space<M, L> {
  return createSpace(options, undefined);
}

/** `defineSpace` in a site of Astro. */
export function defineSpaceWith(astro: AstroEnvironment): typeof defineSpace {
  return (options) => createSpace(options, astro);
}

function createSpace<const M extends ModelMap, const L extends string>(
  options: SpaceOptions<M, L>,
  astro: AstroEnvironment | undefined,
): Space<M, L> {
  checkForAstro(() => {
    checkSpaceOptions(options);
    checkModels(options.models);
  });
  const { models, apiKey, draftApiKey, ...others } = options;
  const settings = astro ? { ...others, astro } : others;
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
    loader(model: string, loaderOptions: object = {}): TypedLoader<never> {
      const plan = checkForAstro(() => checkLoaderOptions(models, settings, model, loaderOptions));
      return {
        name: 'astro-luid',
        // Accepts anything: `load` validates each item once, however many entries embed it.
        schema: z.any() as never,
        async load(context) {
          // Outside of Node, built as a function of src/platform.
          const { load } = await import('./loader/load.ts');
          await load(running(), plan, context);
        },
      };
    },
    collections: () =>
      Object.fromEntries(
        Object.keys(models).map((model) => [model, { type: 'content_layer', loader: space.loader(model) }]),
      ) as never,
    liveLoader: (model: string, liveOptions: object = {}): never =>
      checkForAstro(() => spaceLiveLoader(running(), model, liveOptions)) as never,
    async getPreviewEntry(astro: PreviewContext, model: string, previewOptions: object = {}): Promise<never> {
      const { findPreviewEntry } = await import('./preview/get-preview-entry.ts');
      const createLoader = (live: { from?: 'replica' | 'service' }, isForOneRequest: boolean) => {
        const { from = 'service', ...others } = live;
        return spaceLiveLoader(running(), model, { from, ...others }, { isPreview: true, isForOneRequest });
      };
      return findPreviewEntry(running(), astro, model, previewOptions, createLoader) as never;
    },
  };
  return space;
}

/** Spaces and collections are often defined while Astro loads its config. */
function checkForAstro<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw errorForAstro(error);
  }
}
