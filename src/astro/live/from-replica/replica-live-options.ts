import type { LiveLoader } from 'astro/loaders';
import type * as z from 'zod';
import { LuidConfigError, type LuidError } from '../../../errors.ts';
import type { Depth, ModelMap } from '../../../models/types.ts';
import { checkOptions, literal, type OptionRule, showValue } from '../../../options.ts';
import { type Duration, duration, milliseconds } from '../../../space/duration.ts';
import type { Settings } from '../../../space/space-options.ts';
import type { BacklinksOption } from '../../loader/backlink-options.ts';
import type { FieldNames } from '../../loader/field-names.ts';
import {
  LOADER_OPTIONS,
  type LoadedSchema,
  type LoaderOptions,
  type LoaderPlan,
  type OneLanguageOption,
  planLoader,
} from '../../loader/loader-options.ts';
import type { LiveCollectionFilter, LiveEntryFilter } from '../live-options.ts';
import type { EntryNotFoundError } from './entry-not-found-error.ts';

/** The options of `space.liveLoader(model, { from: 'replica', … })`, besides those of `space.loader`. */
export interface ReplicaLiveOptions {
  /** Serve entries from a copy of the content in this server, which is kept up to date in the background. */
  readonly from: 'replica';
  /** How old content may be before it is checked for changes. Default `'10s'`, with `drafts` `'2s'`. */
  readonly refresh?: Duration;
}

/** A live loader with the options, and so the data, of `space.loader`. */
export type ReplicaLiveLoader<
  M extends ModelMap,
  N extends keyof M & string,
  D extends Depth,
  References,
  Lang extends string | undefined,
  Neighbours,
  Kept,
  Backlinks,
> = LiveLoader<
  z.output<LoadedSchema<M, N, D, References, Lang, Neighbours, Kept, Backlinks>> & Record<string, unknown>,
  ReplicaEntryFilter<M, N, NonNullable<Lang>>,
  LiveCollectionFilter<M, N> & InLanguage<NonNullable<Lang>>,
  LuidError | EntryNotFoundError
>;

interface InLanguage<Lang extends string> {
  /** One language of a collection with `langs`. */
  readonly lang?: Lang;
}

/** The id of an entry begins with its language, so `lang` is for `where` only. */
type ReplicaEntryFilter<M extends ModelMap, N extends keyof M & string, Lang extends string> =
  | { readonly id: string }
  | (Extract<LiveEntryFilter<M, N>, { readonly where: unknown }> & InLanguage<Lang>);

export type AllReplicaLiveOptions<
  M extends ModelMap,
  N extends keyof M & string,
  D extends Depth,
  References,
  Lang extends string | undefined,
  Neighbours,
  Kept extends readonly FieldNames<M[N]>[] | undefined,
  Backlinks extends BacklinksOption<M>,
> = LoaderOptions<M, N, D, References, Lang, Neighbours, Kept, Backlinks> &
  OneLanguageOption &
  ReplicaLiveOptions;

const OWN_OPTIONS = {
  from: literal('replica'),
  refresh: duration,
} satisfies Record<keyof ReplicaLiveOptions, OptionRule>;

const MIN_REFRESH = 1000;
/** Node's timers fire immediately if the delay is longer. */
const MAX_REFRESH = 2 ** 31 - 1;

/** Checked options. */
export interface ReplicaLivePlan {
  readonly plan: LoaderPlan;
  /** Milliseconds. */
  readonly refresh: number;
}

/** Throws when the loader is defined, not at the first request, for options that cannot work. */
export function planReplicaLiveLoader(
  models: ModelMap,
  settings: Settings,
  model: string,
  options: object,
): ReplicaLivePlan {
  const place = `liveLoader(${JSON.stringify(model)})`;
  checkOptions(place, options, { ...LOADER_OPTIONS, ...OWN_OPTIONS });
  const { from: _, refresh: given, ...loaderOptions } = options as ReplicaLiveOptions & LoaderOptions;
  const plan = planLoader(models, settings, model, loaderOptions, place);
  if (settings.cache === false) {
    throw new LuidConfigError(`${place}: from: 'replica' needs a cache, and the space has \`cache: false\``, {
      model,
      hint: 'Remove `cache: false` from defineSpace(), or set `cache: { dir }` or `cache: { storage }`.',
    });
  }
  if (plan.body?.isMarkdown) {
    throw new LuidConfigError(
      `${place}: body names ${showValue(plan.body.luid)}, which is Markdown: Astro renders it in builds only`,
      {
        model,
        field: plan.body.luid,
        hint: "Declare the field with format: 'html', or leave `body` out and render data yourself.",
      },
    );
  }
  const refresh = milliseconds(given ?? (plan.drafts ? '2s' : '10s'), 'refresh');
  if (refresh < MIN_REFRESH || refresh > MAX_REFRESH) {
    throw new LuidConfigError(
      `${place}: refresh must be from one second to 24 days, got ${showValue(given)}`,
      {
        model,
        hint: "Pass a string such as '10s' or '5min', or milliseconds.",
      },
    );
  }
  return { plan, refresh };
}
