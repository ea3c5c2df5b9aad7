import type { Storage } from 'unstorage';
import { storedModel, storedModelKeys } from '../../replica/store/manifest/stored-models.ts';
import { openSnapshot } from '../../replica/store/snapshot.ts';
import type { ConnectedSpace } from '../../space/space.ts';

/** The cached content of one model in one language. */
export interface ModelStats {
  readonly model: string;
  readonly items: number;
  readonly segments: number;
  readonly bytes: number;
  /** Time of the last full read, in milliseconds since 1970. */
  readonly readAt: number;
}

export interface CacheView {
  readonly storage: Storage;
  readonly drafts: boolean;
  readonly lang: string | undefined;
}

/** Size and age of each cached model. */
export async function cacheStats(space: ConnectedSpace, view: CacheView): Promise<ModelStats[]> {
  const { snapshot, states } = await openStates(space, view);
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

/** Time of the oldest full read of any model; `undefined` if one was never read in full. */
export async function oldestFullRead(space: ConnectedSpace, view: CacheView): Promise<number | undefined> {
  const { states } = await openStates(space, view);
  if (states.length < Object.keys(space.models).length) return undefined;
  return Math.min(...states.map(([, { readAt }]) => readAt));
}

async function openStates(space: ConnectedSpace, { storage, drafts, lang }: CacheView) {
  const { baseUrl, apiKey } = await space.connect({ drafts })();
  const names = storedModelKeys(space.models);
  const identity = { baseUrl, apiKey, space: space.settings.space, lang, modelKeys: names };
  const snapshot = await openSnapshot(storage, identity);
  const { manifest } = await snapshot.load();
  const states = Object.keys(space.models).flatMap((model) => {
    const state = storedModel(space.models, manifest, model);
    return state ? [[model, state] as const] : [];
  });
  return { snapshot, states };
}
