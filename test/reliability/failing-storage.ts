import { createStorage, type Storage } from 'unstorage';

/** A storage whose reads and writes are passed to callbacks, which may skip them or fail. */
export function interceptStorage(
  storage: Storage,
  read: <T>(work: () => Promise<T>) => Promise<T>,
  write: (work: () => Promise<void>) => Promise<void>,
): Storage {
  return createStorage({
    driver: {
      hasItem: (key) => read(() => storage.hasItem(key)),
      getItem: (key) => read(() => storage.getItem(key)),
      getItemRaw: (key) => read(() => storage.getItemRaw(key)),
      getKeys: (base) => read(() => storage.getKeys(base)),
      setItem: (key, value) => write(() => storage.setItem(key, value)),
      setItemRaw: (key, value) => write(() => storage.setItemRaw(key, value)),
      removeItem: (key) => write(() => storage.removeItem(key)),
    },
  });
}

/** Whether reads fail, from which write on writes fail, and how many. */
export interface StorageFault {
  readonly code: string;
  readonly reads: boolean;
  readonly from: number;
  readonly times: number;
}

/** A storage that fails as `current` says. */
export function failingStorage(storage: Storage, current: () => StorageFault | undefined): Storage {
  let writes = 0;
  const fail = ({ code }: StorageFault): never => {
    throw Object.assign(new Error(`${code}: it does not work`), { code });
  };
  return interceptStorage(
    storage,
    async (work) => {
      const now = current();
      return now?.reads ? fail(now) : work();
    },
    async (work) => {
      const now = current();
      writes += 1;
      if (now && writes >= now.from && writes < now.from + now.times) fail(now);
      await work();
    },
  );
}
