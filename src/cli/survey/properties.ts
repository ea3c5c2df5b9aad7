import type { QueryParameters } from '../../client/url.ts';
import type { WireContent } from '../../contract/content.ts';
import { isLuid } from '../../contract/luid.ts';
import { LuidContentError } from '../../errors.ts';

/** The system properties that a survey goes by, as §2 has them; what comes in fields it looks at anyway. */
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
    const found = JSON.stringify(value)?.slice(0, 80) ?? 'missing';
    throw new LuidContentError(`The service answered with content ${item._id}, whose ${name} is ${found}`, {
      hint: 'Does something stand before the service that changes its answers?',
    });
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isLanguages(value: unknown): boolean {
  const { current, available } = value as { current?: unknown; available?: unknown };
  return Array.isArray(available) && [current, ...available].every(isLanguage);
}

function isLanguage(value: unknown): boolean {
  return typeof value === 'string' && /^[\w-]+$/.test(value);
}
