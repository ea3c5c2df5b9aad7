import type { Driver } from 'unstorage';

/** Drivers that behave as some of unstorage's do, or as their services allow. Each call returns an empty one. */
export const ODD_DRIVERS: { readonly [name: string]: () => Driver } = {
  'a driver of strings only': () => memoryDriver(),
  'a driver that returns a Buffer': () => rawDriver((bytes) => Buffer.from(bytes)),
  'a driver that returns a part of a larger buffer': () =>
    rawDriver((bytes) => {
      const larger = new Uint8Array(bytes.length + 20);
      larger.set(bytes, 7);
      return new DataView(larger.buffer, 7, bytes.length);
    }),
  'a driver that returns an ArrayBuffer': () => rawDriver((bytes) => Uint8Array.from(bytes).buffer),
  'a driver that returns a Blob, also of text': () => {
    const driver = rawDriver((bytes) => new Blob([Uint8Array.from(bytes)]));
    return { ...driver, getItem: async (key) => (await driver.getItemRaw?.(key, {})) as never };
  },
  'a driver that parses what is JSON': () => {
    const driver = memoryDriver();
    return { ...driver, getItem: async (key) => parseIfJson(await driver.getItem(key)) as never };
  },
  'a driver that throws for a key that does not exist': () => {
    const driver = memoryDriver();
    const getItemRaw = async (key: string) => {
      if (!(await driver.hasItem(key, {}))) throw new TypeError("Cannot read properties of null ('_data')");
      return driver.getItem(key);
    };
    return { ...driver, getItemRaw };
  },
  'a driver that lists all keys, whatever the prefix': () => {
    const driver = memoryDriver();
    return { ...driver, getKeys: () => driver.getKeys('', {}) };
  },
  'a driver that lists keys late': () => {
    const driver = memoryDriver();
    const getKeys = async (base: string) => {
      for (let task = 0; task < 3; task++) await new Promise((resolve) => setImmediate(resolve));
      return driver.getKeys(base, {});
    };
    return { ...driver, getKeys };
  },
  'a driver that accepts at most 25 MB per value': () => {
    const driver = memoryDriver();
    const setItem = async (key: string, value: string) => {
      if (Buffer.byteLength(value) > 25 * 2 ** 20) throw new Error('413 Value length exceeds the limit');
      await driver.setItem?.(key, value, {});
    };
    return { ...driver, setItem };
  },
};

/** What is written is visible to readers when it is settled, as between the regions of a host. */
export function eventualDriver(): Driver & { settle(): void } {
  const [written, visible] = [new Map<string, string>(), new Map<string, string>()];
  const readers = memoryDriver(visible);
  return {
    ...readers,
    setItem: (key, value) => void written.set(key, value),
    removeItem: (key) => void written.delete(key),
    settle() {
      visible.clear();
      for (const [key, value] of written) visible.set(key, value);
    },
  };
}

function memoryDriver(items = new Map<string, string>()): Driver {
  return {
    hasItem: (key) => items.has(key),
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    getKeys: (base = '') => [...items.keys()].filter((key) => key.startsWith(base)),
    clear: () => items.clear(),
  };
}

/** Stores bytes, and returns them as some drivers do. */
function rawDriver(returned: (bytes: Buffer) => unknown): Driver {
  const driver = memoryDriver();
  return {
    ...driver,
    async getItemRaw(key) {
      const text = (await driver.getItem(key)) as string | null;
      return text === null ? null : returned(Buffer.from(text));
    },
    setItemRaw: (key, value) => driver.setItem?.(key, Buffer.from(value).toString('utf8'), {}),
  };
}

function parseIfJson(value: unknown): unknown {
  try {
    return JSON.parse(value as string);
  } catch {
    return value;
  }
}
