import { createHash } from 'node:crypto';
import type { Storage } from 'unstorage';
import { LuidError } from '../../errors.ts';

/** What is known of a deploy target. */
export interface WatchState {
  /** The digest of the content that the last hook was called for. */
  readonly deployed: string;
  /**
   * Content was another one since, and no hook is known to have been called for it. Stays on if the content
   * becomes again what it was: a hook that was under way may have built what was there in between.
   */
  readonly changed: boolean;
}

export interface StateStore {
  /** `undefined` if nothing was ever stored. What is damaged counts as changed. */
  load(): Promise<WatchState | undefined>;
  save(state: WatchState): Promise<void>;
}

/** What a state is of. Keys may be replaced by others for the same content, so they are no part of it. */
export interface StateOf {
  /** Tells one target from another. It may hold a secret, of which only a hash is stored. */
  readonly target: string;
  readonly baseUrl: string;
  readonly space: string | undefined;
  readonly drafts: boolean;
}

const FORM = /^v1 (changed|deployed) (\S*)$/;

export function openState(storage: Storage, of: StateOf): StateStore {
  const identity = JSON.stringify([of.target, of.baseUrl, of.space ?? null, of.drafts]);
  const key = `watch-${createHash('sha256').update(identity).digest('hex').slice(0, 40)}`;
  return {
    async load() {
      const raw: unknown = await storage.getItemRaw(key);
      if (raw === null || raw === undefined) return undefined;
      const text = raw instanceof Uint8Array ? new TextDecoder().decode(raw) : String(raw);
      const [, word, deployed] = FORM.exec(text) ?? [];
      return { deployed: deployed ?? '', changed: word !== 'deployed' };
    },
    async save({ deployed, changed }) {
      try {
        await storage.setItemRaw(key, `v1 ${changed ? 'changed' : 'deployed'} ${deployed}`);
      } catch (cause) {
        throw new LuidError(`What is deployed cannot be stored: ${(cause as Error).message}`, {
          hint: 'Until it is, no hook is called for further changes, and a restart may call one again.',
          cause,
        });
      }
    },
  };
}
