/** A set of names, whether or not they can be listed. */
export type NameSet = Pick<ReadonlySet<string>, 'has'>;

/** The properties of an item that are in a set. The item itself if the set is `undefined`, which means all of them. */
export function keepProperties<T extends object>(item: T, names: NameSet | undefined): T {
  return names ? filterProperties(item, (name) => names.has(name)) : item;
}

/** The other properties of an item. */
export function dropProperties<T extends object>(item: T, names: NameSet): T {
  return filterProperties(item, (name) => !names.has(name));
}

function filterProperties<T extends object>(item: T, isKept: (name: string) => boolean): T {
  return Object.fromEntries(Object.entries(item).filter(([name]) => isKept(name))) as T;
}
