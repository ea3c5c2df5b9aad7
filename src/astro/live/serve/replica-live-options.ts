import type { ModelMap } from '../../../models/types.ts';
import { LuidConfigError } from '../../../shared/errors.ts';
import { checkOptions, showValue } from '../../../shared/options.ts';
import { milliseconds } from '../../../space/duration.ts';
import type { Settings } from '../../../space/space-options.ts';
import { type CollectionSettings, checkLoaderOptions } from '../../collection/options/loader-options.ts';
import { REPLICA_OPTIONS, type ReplicaLiveOptions } from '../live-options.ts';

const MIN_REFRESH = 1000;
/** Node's timers fire immediately if the delay is longer. */
const MAX_REFRESH = 2 ** 31 - 1;

/** Checked options. */
export interface ReplicaLiveSettings {
  readonly settings: CollectionSettings;
  /** Milliseconds. */
  readonly refresh: number;
}

/** Throws when the loader is defined, not at the first request, for options that cannot work. */
export function checkReplicaLiveOptions(
  models: ModelMap,
  spaceSettings: Settings,
  model: string,
  options: object,
): ReplicaLiveSettings {
  const place = `liveLoader(${JSON.stringify(model)})`;
  checkOptions(place, options, REPLICA_OPTIONS);
  const { from: _, refresh: given, ...loaderOptions } = options as ReplicaLiveOptions;
  const settings = checkLoaderOptions(models, spaceSettings, model, loaderOptions, place);
  if (spaceSettings.cache === false) {
    throw new LuidConfigError(
      `${place}: a live collection needs a cache, and the space has \`cache: false\``,
      {
        model,
        hint: "Remove `cache: false` from defineSpace(), set `cache: { dir }` or `cache: { storage }`, or request each entry from the service with from: 'service'.",
      },
    );
  }
  if (settings.body?.isMarkdown) {
    throw new LuidConfigError(
      `${place}: body names ${showValue(settings.body.luid)}, which is Markdown: Astro renders it in builds only`,
      {
        model,
        field: settings.body.luid,
        hint: "Declare the field with format: 'html', or leave `body` out and render data yourself.",
      },
    );
  }
  const refresh = milliseconds(given ?? (settings.drafts ? '2s' : '10s'), 'refresh');
  if (refresh < MIN_REFRESH || refresh > MAX_REFRESH) {
    throw new LuidConfigError(
      `${place}: refresh must be from one second to 24 days, got ${showValue(given)}`,
      {
        model,
        hint: "Pass a string such as '10s' or '5min', or milliseconds.",
      },
    );
  }
  return { settings, refresh };
}
