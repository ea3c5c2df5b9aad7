import type { Storage } from 'unstorage';

/** A storage that holds up one step of a sync. */
export interface HeldStorage {
  readonly storage: Storage;
  /** Resolves when the step is about to be made. */
  readonly reached: Promise<void>;
  readonly release: () => void;
}

/**
 * Holds up a sync once: before it looks for what others have stored (`commit`), or after that, before it writes its
 * manifest (`write`).
 */
export function holdBefore(step: 'commit' | 'write', storage: Storage): HeldStorage {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isHeld = false;
  const hold = async () => {
    if (isHeld) return;
    isHeld = true;
    reached.resolve();
    await released.promise;
  };
  // The first listing is to load, the second to commit.
  let listings = 0;
  return {
    reached: reached.promise,
    release: released.resolve,
    storage: {
      ...storage,
      async getKeys(base?: string) {
        if (step === 'commit' && base?.endsWith(':manifest') && ++listings === 2) await hold();
        return storage.getKeys(base);
      },
      async setItemRaw(key, ...rest) {
        if (step === 'write' && key.includes(':manifest:')) await hold();
        return storage.setItemRaw(key, ...rest);
      },
    },
  };
}
