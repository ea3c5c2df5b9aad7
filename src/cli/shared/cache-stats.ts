import type { Storage } from 'unstorage';
import { openSnapshot } from '../../replica/store/snapshot.ts';
import { storedModelKey } from '../../replica/store/stored-model-key.ts';
import type { CopiedSpace } from '../../space/replica-options.ts';

/** What the cache holds of a model in a language. */
export interface ModelStats {
  readonly model: string;
  readonly items: number;
  readonly segments: number;
  readonly bytes: number;
  /** When all of it was read last, in milliseconds since 1970. */
  readonly readAt: number;
}

export interface StatsOf {
  readonly storage: Storage;
  readonly drafts: boolean;
  readonly lang: string | undefined;
}

/** Sizes and ages, model by model; of those that are stored. */
export async function cacheStats(space: CopiedSpace, of: StatsOf): Promise<ModelStats[]> {
  const { snapshot, states } = await openStates(space, of);
  return Promise.all(
    states.map(async ([model, { segments, readAt }]) => {
      const bodies = await Promise.all(segments.map(({ hash }) => snapshot.segment(hash)));
      return {
        model,
        items: segments.reduce((sum, { count }) => sum + count, 0),
        segments: segments.length,
        bytes: bodies.reduce((sum, body = '') => sum + Buffer.byteLength(body), 0),
        readAt,
      };
    }),
  );
}

/** When the model that was read whole the longest ago was; `undefined` if one never was. */
export async function oldestRead(space: CopiedSpace, of: StatsOf): Promise<number | undefined> {
  const { states } = await openStates(space, of);
  if (states.length < Object.keys(space.models).length) return undefined;
  return Math.min(...states.map(([, { readAt }]) => readAt));
}

async function openStates(space: CopiedSpace, { storage, drafts, lang }: StatsOf) {
  const { baseUrl, apiKey } = await space.connect({ drafts })();
  const names = Object.keys(space.models).map((model) => storedModelKey(space.models, model));
  const of = { baseUrl, apiKey, space: space.settings.space, lang, modelKeys: names };
  const snapshot = openSnapshot(storage, of);
  const { manifest } = await snapshot.load();
  const states = Object.keys(space.models).flatMap((model) => {
    const state = manifest.models[storedModelKey(space.models, model)];
    return state ? [[model, state] as const] : [];
  });
  return { snapshot, states };
}
