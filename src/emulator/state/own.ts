/**
 * A record's own property. LUIDs may be `constructor` or `__proto__`, where a plain read would find
 * what every object inherits.
 */
export function own<V>(record: { readonly [key: string]: V } | undefined, key: string): V | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
