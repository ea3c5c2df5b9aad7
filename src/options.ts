import { LuidConfigError } from './errors.ts';
import { printable } from './printable.ts';
import { suggest } from './suggest.ts';

/** What one option takes. */
export interface OptionRule {
  /** In words, after "must be". */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
  /** Its value is never printed. */
  readonly secret?: boolean;
  /** The options inside, where the value is an object. */
  readonly inside?: OptionRules;
}

// The makers of rules are marked as free of side effects: tables of rules are made when a module is loaded, and a
// bundler could not leave out a table that a page does not need.

export type OptionRules = { readonly [name: string]: OptionRule };

/**
 * Throws for an option that is not in `rules` or whose value its rule does not accept. `place` is the
 * function that the options were passed to. Options that are `undefined` count as not passed.
 */
export function checkOptions(place: string, options: unknown, rules: OptionRules, path = ''): void {
  if (!isObject(options)) {
    throw new LuidConfigError(`${place}: the options must be an object, got ${showValue(options)}`, {
      hint: `Valid options: ${Object.keys(rules).join(', ')}.`,
    });
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) throw unknownOption(place, path, name, Object.keys(rules));
    if (value === undefined) continue;
    if (rule.inside && isObject(value)) checkOptions(place, value, rule.inside, `${path}${name}.`);
    else if (!rule.accepts(value)) {
      const shown = rule.secret ? kindOfValue(value) : showValue(value);
      throw new LuidConfigError(`${place}: ${path}${name} must be ${rule.expected}, got ${shown}`);
    }
  }
}

/** The value is left out: under a misspelt name it may be a key. */
function unknownOption(place: string, path: string, name: string, known: readonly string[]): LuidConfigError {
  return new LuidConfigError(`${place}: unknown option ${showValue(path + name)}`, {
    hint: `${suggest(name, known)}Valid options${path && ` of ${path.slice(0, -1)}`}: ${known.join(', ')}.`,
  });
}

export const string: OptionRule = { expected: 'a string', accepts: isString };
export const secret: OptionRule = { expected: 'a string', accepts: isString, secret: true };
export const boolean: OptionRule = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};
export const callback: OptionRule = {
  expected: 'a function',
  accepts: (value) => typeof value === 'function',
};
/** For options that are checked elsewhere. */
export const anything: OptionRule = { expected: 'anything', accepts: () => true };

export const strings: OptionRule = {
  expected: 'a list of strings',
  accepts: (value) => Array.isArray(value) && value.every(isString),
};

/* @__NO_SIDE_EFFECTS__ */
export function wholeNumber(least: number, most = Number.POSITIVE_INFINITY): OptionRule {
  return {
    expected: `a whole number ${most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`}`,
    accepts: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  };
}

/** Any of the rules; options inside are those of the last that has some. */
/* @__NO_SIDE_EFFECTS__ */
export function either(...rules: readonly OptionRule[]): OptionRule {
  const expected = rules.map((rule) => rule.expected);
  const inside = rules.findLast((rule) => rule.inside)?.inside;
  return {
    expected: [expected.slice(0, -1).join(', '), expected.at(-1)].filter(Boolean).join(' or '),
    accepts: (value) => rules.some((rule) => rule.accepts(value)),
    ...(inside && { inside }),
  };
}

/** Exactly this value. */
/* @__NO_SIDE_EFFECTS__ */
export function literal(value: string | boolean): OptionRule {
  return { expected: showValue(value), accepts: (other) => other === value };
}

/** An object of options. */
/* @__NO_SIDE_EFFECTS__ */
export function object(inside: OptionRules, expected = 'an object'): OptionRule {
  return { expected, accepts: () => false, inside };
}

/** A value for a message: short, on one line, strings in quotes. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return `'${printable(value, 60).replaceAll("'", "\\'")}'`;
  if (Array.isArray(value) && value.length <= 5 && value.every((one) => !isObject(one))) {
    return `[${value.map(showValue).join(', ')}]`;
  }
  return typeof value === 'object' || typeof value === 'function' ? kindOfValue(value) : String(value);
}

function kindOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
