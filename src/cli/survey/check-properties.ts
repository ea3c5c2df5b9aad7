import type { QueryParameters } from '../../client/http/canonical-url.ts';
import type { WireContent } from '../../contract/content.ts';
import { isLuid } from '../../contract/luid.ts';
import { LuidContentError } from '../../errors.ts';
import { isRecord } from '../../is-record.ts';
import { printable } from '../../printable.ts';

/** Validators of the system properties that a survey depends on (§2). */
const VALIDATORS: Readonly<Record<string, (value: unknown) => boolean>> = {
  _id: Number.isSafeInteger,
  _model: isLuid,
  _space: (value) => isAbsent(value) || isLuid(value),
  _langs: (value) => isAbsent(value) || isLanguages(value),
};

/** Throws if the service sent invalid system properties or field names. */
export function checkProperties(item: WireContent, { select }: QueryParameters): void {
  const selected = select === undefined ? undefined : String(select).split(',');
  for (const [name, isValid] of Object.entries(VALIDATORS)) {
    const value: unknown = Object.hasOwn(item, name) ? item[name] : undefined;
    if (isValid(value) || (selected && !selected.includes(name))) continue;
    const shown = printable(JSON.stringify(value) ?? 'missing', 80);
    throw invalidContent(`${contentName(item)}: ${name} is ${shown}`);
  }
  const invalid = findInvalidName(item);
  if (invalid === undefined) return;
  throw invalidContent(
    `${contentName(item)} has a field ${printable(JSON.stringify(invalid), 80)}, which is not a LUID`,
  );
}

/** The first field name, at any level, that is not a LUID (§1). */
function findInvalidName(value: unknown): string | undefined {
  if (Array.isArray(value)) return firstDefined(value, findInvalidName);
  if (!isRecord(value)) return undefined;
  return (
    Object.keys(value).find((name) => !isLuid(name)) ?? firstDefined(Object.values(value), findInvalidName)
  );
}

function firstDefined<T, R>(list: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function contentName({ _id }: WireContent): string {
  return `Content ${printable(JSON.stringify(_id) ?? 'without _id', 40)}`;
}

function invalidContent(problem: string): LuidContentError {
  return new LuidContentError(problem, {
    hint: 'The service never sends this. Check the URL, and whether a proxy changes the responses.',
  });
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isLanguages(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { current, available } = value;
  return Array.isArray(available) && [current, ...available].every(isLanguage);
}

function isLanguage(value: unknown): boolean {
  return typeof value === 'string' && /^[\w-]+$/.test(value);
}
