import { LuidConfigError } from './errors.ts';
import { isRecord } from './is-record.ts';
import { printable } from './printable.ts';
import { suggest } from './suggest.ts';

/** The rule for one option. */
export interface OptionRule {
  /** Follows "must be" in messages. */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
  /** The value is never printed. */
  readonly secret?: boolean;
  /** The rules for its own options, if the value is an object. */
  readonly inside?: OptionRules;
}

// Functions that create rules are marked as free of side effects, so that a bundler can remove tables of rules that
// a page does not use.

export type OptionRules = { readonly [name: string]: OptionRule };

/**
 * Throws for an option that is not in `rules`, or whose value its rule does not accept. `place` is the
 * function that the options were passed to. Options that are `undefined` are ignored.
 */
export function checkOptions(place: string, options: unknown, rules: OptionRules, path = ''): void {
  if (!isRecord(options)) {
    throw new LuidConfigError(`${place}: the options must be an object, got ${showValue(options)}`, {
      hint: `Valid options: ${Object.keys(rules).join(', ')}.`,
    });
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) throw unknownOption(place, path, name, Object.keys(rules));
    if (value === undefined) continue;
    if (rule.inside && isRecord(value)) checkOptions(place, value, rule.inside, `${path}${name}.`);
    else if (!rule.accepts(value)) {
      const shown = rule.secret ? describeType(value) : showValue(value);
      throw new LuidConfigError(`${place}: ${path}${name} must be ${rule.expected}, got ${shown}`);
    }
  }
}

/** Does not mention the value: under a misspelt name it may be a key. */
function unknownOption(place: string, path: string, name: string, known: readonly string[]): LuidConfigError {
  return new LuidConfigError(`${place}: unknown option ${showValue(path + name)}`, {
    hint: `${suggest(name, known)}Valid options${path && ` of ${path.slice(0, -1)}`}: ${known.join(', ')}.`,
  });
}

export const string: OptionRule = { expected: 'a string', accepts: isString };
export const secret: OptionRule = { expected: 'a string', accepts: isString, secret: true };
export const headerName: OptionRule = {
  expected: 'a header name',
  accepts: (value) => typeof value === 'string' && /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(value),
};
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
export function wholeNumber(min: number, max = Number.POSITIVE_INFINITY): OptionRule {
  return {
    expected: `a whole number ${max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `from ${min} to ${max}`}`,
    accepts: (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
  };
}

/** Any of the rules. Nested options are those of the last rule that has some. */
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

/** Formats a value for a message: short, on one line, strings in quotes. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return `'${printable(value, 60).replaceAll("'", "\\'")}'`;
  if (Array.isArray(value) && value.length <= 5 && value.every((element) => !isRecord(element))) {
    return `[${value.map(showValue).join(', ')}]`;
  }
  return typeof value === 'object' || typeof value === 'function' ? describeType(value) : String(value);
}

function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}
