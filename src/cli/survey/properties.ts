import type { QueryParameters } from '../../client/http/canonical-url.ts';
import type { WireContent } from '../../contract/content.ts';
import { isLuid } from '../../contract/luid.ts';
import { LuidContentError } from '../../errors.ts';
import { isRecord } from '../../models/field-types/field-type.ts';
import { printable } from '../../printable.ts';

/** The system properties that a survey goes by, as §2 has them. */
const PROPERTIES: Readonly<Record<string, (value: unknown) => boolean>> = {
  _id: Number.isSafeInteger,
  _model: isLuid,
  _space: (value) => isAbsent(value) || isLuid(value),
  _langs: (value) => isAbsent(value) || isLanguages(value),
};

export function checkProperties(item: WireContent, { select }: QueryParameters): void {
  const selected = select === undefined ? undefined : String(select).split(',');
  for (const [name, fits] of Object.entries(PROPERTIES)) {
    const value: unknown = Object.hasOwn(item, name) ? item[name] : undefined;
    if (fits(value) || (selected && !selected.includes(name))) continue;
    const found = printable(JSON.stringify(value) ?? 'missing', 80);
    throw unexpected(`${contentName(item)}: ${name} is ${found}`);
  }
  const strange = strangeName(item);
  if (strange === undefined) return;
  throw unexpected(
    `${contentName(item)} has a field ${printable(JSON.stringify(strange), 80)}, which is not a LUID`,
  );
}

/** The first field name, at any level, that is not a LUID (§1). */
function strangeName(value: unknown): string | undefined {
  if (Array.isArray(value)) return firstOf(value, strangeName);
  if (!isRecord(value)) return undefined;
  return Object.keys(value).find((name) => !isLuid(name)) ?? firstOf(Object.values(value), strangeName);
}

function firstOf<T, R>(list: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function contentName({ _id }: WireContent): string {
  return `Content ${printable(JSON.stringify(_id) ?? 'without _id', 40)}`;
}

function unexpected(what: string): LuidContentError {
  return new LuidContentError(what, {
    hint: 'The service never sends this. Is the URL right, and does a proxy change the responses?',
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
