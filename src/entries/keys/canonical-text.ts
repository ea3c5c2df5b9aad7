import { LuidConfigError } from '../../shared/errors.ts';

/**
 * A value as a text: equal for values that are deeply equal, and for no others. The order of properties does not
 * count, and a property that is `undefined` equals one that is missing. Strings are preceded by their length, so that
 * no string can imitate what is around it.
 */
export function canonicalText(value: unknown): string {
  return encode(value, []);
}

function encode(value: unknown, around: readonly object[]): string {
  if (typeof value === 'string') return `s${value.length}:${value}`;
  if (typeof value !== 'object' || value === null) return encodePrimitive(value);
  if (value instanceof Date) return `D${value.getTime()};`;
  if (value instanceof URL) return `U${value.href.length}:${value.href}`;
  if (around.includes(value)) throw unsupported('an object that contains itself');
  const inside = [...around, value];
  const list = (parts: readonly unknown[]) =>
    `${parts.length}[${parts.map((part) => encode(part, inside)).join('')}]`;
  if (Array.isArray(value)) return `a${list(value)}`;
  if (value instanceof Map) return `M${list([...value].flat())}`;
  if (value instanceof Set) return `S${list([...value])}`;
  if (!isPlainObject(value)) throw unsupported(`a ${value.constructor.name}`);
  const properties = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `o${list(properties.flat())}`;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function encodePrimitive(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return `${value};`;
  if (typeof value === 'number') return `d${Object.is(value, -0) ? '-0' : value};`;
  if (typeof value === 'bigint') return `b${value};`;
  throw unsupported(`a ${typeof value}`);
}

function unsupported(what: string): LuidConfigError {
  return new LuidConfigError(`collectionKey: a field contains ${what}, which has no stable key`, {
    hint: 'Name other fields, or a path into this one such as `author.name`.',
  });
}
