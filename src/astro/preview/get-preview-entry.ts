import type { LiveLoader } from 'astro/loaders';
import { LuidConfigError, type LuidError } from '../../errors.ts';
import type { RunningSpace } from '../../space/space.ts';
import type { LuidLocals } from './preview-state.ts';

/** What `getPreviewEntry` needs of `Astro`. */
export interface PreviewContext {
  readonly locals: { readonly luid?: LuidLocals };
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** A draft, as `getLiveEntry` and `getEntry` return an entry: `render(entry)` renders it. */
export interface PreviewEntry<N extends string, Data> {
  readonly id: string;
  readonly collection: N;
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

type AnyLoader = LiveLoader<
  Record<string, unknown>,
  Record<string, unknown>,
  Record<string, unknown>,
  LuidError
>;

/** The draft that a page shows in preview; `undefined` outside of the preview, and if there is no such entry. */
export async function findPreviewEntry(
  space: RunningSpace,
  astro: PreviewContext,
  model: string,
  {
    entry,
    ...options
  }: WhichEntry & { readonly id?: unknown; readonly from?: unknown; readonly lang?: unknown },
  createLoader: (options: object, isForOneRequest: boolean) => AnyLoader,
): Promise<PreviewEntry<string, Record<string, unknown>> | undefined> {
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
  if (options.from === undefined) {
    const lang = typeof options.lang === 'string' ? options.lang : undefined;
    await watchDrafts(space, lang);
  }
  const load = (loader: AnyLoader) => loader.loadEntry({ filter: { id }, collection: model } as never);
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
    // As Astro compares it. From a replica, it tells when the page would exist, which a preview never caches.
    if (result.error.name === 'LiveEntryNotFoundError') return undefined;
    throw result.error;
  }
  const { cacheHint: _, ...draft } = result;
  return { ...draft, collection: model } as PreviewEntry<string, Record<string, unknown>>;
}

/** Equal for options that mean the same, but for variables that a function uses: pages pass new ones with each request. */
function nameOf(options: object): string {
  return JSON.stringify(options, (_, value: unknown) =>
    typeof value === 'function' ? String(value) : value,
  );
}

/** Lets open previews be told of later changes. Bundles for other runtimes than Node cannot. */
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
