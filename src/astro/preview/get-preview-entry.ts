import type { ModelMap } from '../../models/types.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import type { RunningSpace } from '../../space/space.ts';
import type { LoadedData } from '../collection/options/loaded-data.ts';
import type { LoaderOptions } from '../collection/options/loader-options.ts';
import type { AnyLiveLoader, LiveOptions, ReplicaLiveOptions, ServiceData } from '../live/live-options.ts';
import type { LuidLocals, PreviewedEntry } from './preview-settings.ts';

/** What `getPreviewEntry` needs of `Astro`. */
export interface PreviewContext {
  readonly locals: { readonly luid?: LuidLocals };
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** A draft, as `getLiveEntry` and `getEntry` return an entry: `render(entry)` renders it. */
export interface PreviewEntry<Data> {
  readonly id: string;
  /** The model. `any`: `render()` and the components of a site accept entries of its collections only. */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly collection: any;
  readonly data: Data;
  readonly rendered?: { readonly html: string };
}

/** Which entry, besides the options of the live loader. */
export interface WhichEntry {
  /**
   * The id of the entry. Default: the parameter of the route that is named like the field of ids, else `id`, else the
   * last one.
   */
  readonly entry?: string | undefined;
}

/**
 * Its options. The service is the default, other than for live collections: a preview shows one entry to few people, and
 * has to be right at once, also in a server that has just started.
 */
export type PreviewOptions<M extends ModelMap, N extends keyof M & string, L extends string> =
  | (Omit<ReplicaLiveOptions<M, N, L>, 'from'> & WhichEntry & { readonly from: 'replica' })
  | (LiveOptions<M, N, L> & WhichEntry & { readonly from?: 'service' | undefined });
export type PreviewData<M extends ModelMap, N extends keyof M & string, O> = O extends {
  readonly from: 'replica';
}
  ? LoadedData<M, N, O>
  : ServiceData<M, N, O>;

/** The draft that a page shows in preview; `undefined` outside of the preview, and if there is no such entry. */
export async function findPreviewEntry(
  space: RunningSpace,
  astro: PreviewContext,
  model: string,
  { entry, ...options }: WhichEntry & Pick<LoaderOptions, 'id' | 'lang'> & { readonly from?: unknown },
  createLoader: (options: object, isForOneRequest: boolean) => AnyLiveLoader,
): Promise<PreviewEntry<Record<string, unknown>> | undefined> {
  if (!astro.locals.luid?.preview) return undefined;
  const id = entry ?? idFromParams(astro.params, options.id);
  if (id === undefined) {
    throw new LuidConfigError(
      `getPreviewEntry(Astro, ${JSON.stringify(model)}): the route has no parameters`,
      {
        model,
        hint: 'Pass the id of the entry as `entry`.',
      },
    );
  }
  // A replica reports its changes itself.
  if (options.from !== 'replica') await watchDrafts(space, options.lang);
  const load = (loader: AnyLiveLoader) => loader.loadEntry({ filter: { id }, collection: model } as never);
  const withDrafts = { ...options, drafts: true };
  const shared = space.runtime.share(`preview ${model} ${nameOf(options)}`, () => ({
    id: options.id,
    loader: createLoader(withDrafts, false),
  }));
  // It also reports changes to open previews, so it is used even if its `id` function is not the one of this request.
  const found = await load(shared.loader);
  const result = shared.id === options.id ? found : await load(createLoader(withDrafts, true));
  if (!result) return undefined;
  if ('error' in result) {
    // As Astro compares it. From a replica, its tags are invalidated when the page exists, but a preview is never cached.
    if (result.error.name === 'LiveEntryNotFoundError') return undefined;
    throw result.error;
  }
  const { cacheHint: _, ...draft } = result;
  const { bar } = astro.locals.luid;
  if (bar) bar.entry = draft as unknown as PreviewedEntry;
  return { ...draft, collection: model } as PreviewEntry<Record<string, unknown>>;
}

/** Equal for options that mean the same, but for variables that a function uses: pages pass new ones with each request. */
function nameOf(options: object): string {
  return JSON.stringify(options, (_, value: unknown) =>
    typeof value === 'function' ? String(value) : value,
  );
}

/** Reports later changes to open previews. Bundles for other runtimes than Node cannot. */
async function watchDrafts(space: RunningSpace, lang: string | undefined): Promise<void> {
  const { draftFingerprint } = await import('./draft-fingerprint.ts');
  if (!draftFingerprint) return;
  const { draftWatch } = await import('./draft-watch.ts');
  const { name, read } = await draftFingerprint(space, lang);
  await draftWatch().beforeShowing(name, read);
}

function idFromParams(params: PreviewContext['params'], idField: unknown): string | undefined {
  const named = typeof idField === 'string' ? params[idField] : undefined;
  return named ?? params.id ?? Object.values(params).findLast((value) => value !== undefined);
}
