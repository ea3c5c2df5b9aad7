/**
 * Reads an own property. A LUID may be `constructor` or `__proto__`, where a plain read would return what
 * every object inherits.
 */
export function getOwn<V>(record: { readonly [key: string]: V } | undefined, key: string): V | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
