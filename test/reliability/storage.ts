import { createStorage, type Storage } from 'unstorage';

/** A storage whose reads and writes all pass through here, each as work that may be left out or fail. */
export function watchedStorage(
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

/** What of a storage fails: reads or not, from which of its writes on, and how many of them. */
export interface Failing {
  readonly code: string;
  readonly reads: boolean;
  readonly from: number;
  readonly times: number;
}

/** The storage as it is, but for what fails now. */
export function failing(storage: Storage, what: () => Failing | undefined): Storage {
  let writes = 0;
  const fail = ({ code }: Failing): never => {
    throw Object.assign(new Error(`${code}: it does not work`), { code });
  };
  return watchedStorage(
    storage,
    async (work) => {
      const now = what();
      return now?.reads ? fail(now) : work();
    },
    async (work) => {
      const now = what();
      writes += 1;
      if (now && writes >= now.from && writes < now.from + now.times) fail(now);
      await work();
    },
  );
}
