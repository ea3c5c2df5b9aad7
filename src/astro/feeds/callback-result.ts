import { LuidConfigError } from '../../shared/errors.ts';
import { type OptionRule, showValue } from '../../shared/options.ts';
import type { ShownEntry } from './shown-entry.ts';

/**
 * What a callback of the site returned for an entry, if `rule` accepts it. TypeScript cannot check it where entries have
 * types of their own, and an Astro config is often not checked at all.
 */
export function callbackResult<T>(option: string, value: T, { id }: ShownEntry, rule: OptionRule): T {
  if (rule.accepts(value)) return value;
  throw new LuidConfigError(
    `${option} must return ${rule.expected}, got ${showValue(value)} for the entry ${showValue(id)}`,
    typeof value === 'object' && value !== null && '_id' in value && '_title' in value
      ? { hint: 'It is embedded content. Return one of its fields.' }
      : {},
  );
}

/** A URL, absolute or from the root of the site. */
export const url: OptionRule = {
  expected: 'a string or a URL',
  accepts: (value) => (typeof value === 'string' && value !== '') || value instanceof URL,
};

/** Accepts `undefined` and `null` too. */
/* @__NO_SIDE_EFFECTS__ */
export function optional({ expected, accepts }: OptionRule): OptionRule {
  return { expected: `${expected} or undefined`, accepts: (value) => value == null || accepts(value) };
}
