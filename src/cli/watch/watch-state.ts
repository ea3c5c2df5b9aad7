import { createHash } from 'node:crypto';
import type { Storage } from 'unstorage';
import type { SegmentBody } from '../../replica/store/segments/segments.ts';
import { textOf } from '../../replica/store/snapshot-names.ts';
import { LuidError } from '../../shared/errors.ts';

/** The deploy state of a target. */
export interface WatchState {
  /** Fingerprint of the content that the hook was last called for. */
  readonly deployed: string;
  /**
   * The content has changed since. Stays true when the change is undone: a call whose response got lost may
   * have deployed it.
   */
  readonly changed: boolean;
}

export interface WatchStateStore {
  /** `undefined` if nothing is stored. A damaged state counts as changed. */
  load(): Promise<WatchState | undefined>;
  save(state: WatchState): Promise<void>;
}

/** Identifies a state. API keys are not part of it: they can be replaced without a change of content. */
export interface WatchStateIdentity {
  /** Identifies the target. May contain a secret: only its hash is stored. */
  readonly target: string;
  readonly baseUrl: string;
  readonly space: string | undefined;
  readonly drafts: boolean;
  /** The file and the export, if they were chosen: two exports may have the same URL and target, but not the same content. */
  readonly file?: string | undefined;
  readonly exportName?: string | undefined;
}

const STORED_FORMAT = /^v1 (changed|deployed) (\S*)$/;

export function openWatchState(storage: Storage, identity: WatchStateIdentity): WatchStateStore {
  const { target, baseUrl, space, drafts, file, exportName } = identity;
  const parts = [target, baseUrl, space, drafts, file, exportName];
  const hash = createHash('sha256').update(JSON.stringify(parts));
  const key = `watch-${hash.digest('hex').slice(0, 40)}`;
  return {
    async load() {
      const text = textOf(await storage.getItemRaw<SegmentBody>(key));
      if (text === undefined) return undefined;
      const [, word, deployed] = STORED_FORMAT.exec(text) ?? [];
      return { deployed: deployed ?? '', changed: word !== 'deployed' };
    },
    async save({ deployed, changed }) {
      try {
        await storage.setItemRaw(key, `v1 ${changed ? 'changed' : 'deployed'} ${deployed}`);
      } catch (cause) {
        throw new LuidError(`Cannot store the deploy state: ${(cause as Error).message}`, {
          hint: 'Until it is stored, no hook is called for further changes, and a restart may call the hook again.',
          cause,
        });
      }
    },
  };
}
