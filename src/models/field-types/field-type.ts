import * as z from 'zod';
import type { Operator } from '../../contract/parameters.ts';

/** What every field definition has: plain data, told apart by `type`. */
export interface FieldBase {
  readonly type: string;
  readonly required?: boolean;
}

export type FieldsBase = { readonly [luid: string]: FieldBase };

/** What a kind needs of its surroundings to build the schema of one of its fields. */
export interface SchemaContext {
  /** How many more references may be content rather than an id. */
  readonly depth: number;
  /** Drop what the map does not name. */
  readonly strict: boolean;
  /** The schema of a group of fields at this depth. */
  fields(fields: FieldsBase): z.ZodType;
  /** The schema of a declared model's content, one reference further in; `undefined` if it is not declared. */
  target(model: string): z.ZodType | undefined;
}

/** What a kind needs to build the schema of a value that is sent (§4.10). */
export interface WriteContext {
  fields(fields: FieldsBase): z.ZodType;
}

/** Reports what is wrong with a definition: where below the field, what, and what to do. */
export type Complain = (below: string, problem: string, hint: string) => void;

/** What a kind may ask about the whole map while it checks a definition. */
export interface CheckContext {
  readonly models: ReadonlySet<string>;
  /** Checks the fields of a group that lies `below` the field. */
  fields(below: string, fields: unknown): void;
  /** Checks the fields of a field set, whose LUID is unique in the space (§1). */
  set(below: string, luid: string, fields: unknown): void;
  complain: Complain;
}

/**
 * Everything that a field type answers for itself. Adding a field type is adding one of these to
 * the table in `index.ts`; no other code asks which type a field has.
 */
export interface Kind<F extends FieldBase = FieldBase> {
  /** In words, for error texts: "text", "a list of values". */
  readonly noun: string;
  /** What an empty value becomes: `''`, a new `[]` or `null`. */
  empty(): unknown;
  /** §4.1: the filter operators allowed. */
  readonly operators: readonly Operator[];
  /** What a filter compares a value with. Default: a string. */
  readonly operand?: 'boolean' | 'number';
  /** Its values are short enough to name entries. */
  readonly identifies?: true;
  /** Keys that a definition may have beside `type` and `required`. */
  readonly keys: readonly string[];
  /** Checks the kind's own keys. `luid` is the name that the field goes by. */
  check?(field: F, luid: string, context: CheckContext): void;
  /** §2.2: the schema of a value that is not empty. */
  schema(field: F, context: SchemaContext): z.ZodType;
  /** §4.10: the schema of a value that is sent; absent where the service takes none. */
  readonly write?: (field: F, context: WriteContext) => z.ZodType;
  /** The text of a value that `contains` looks at, where that is not the value itself. */
  readonly plain?: (field: F, value: unknown) => string | undefined;
  /** The value is one of those that `walk.ts` visits: a reference or a media. */
  readonly leaf?: boolean;
  /**
   * Rebuilds the value with `recurse` applied to every group of fields inside it, where `below` leads
   * from the field to the group: `[2].fields`. A value in which nothing changed is given back itself.
   */
  readonly map?: (field: F, value: unknown, recurse: MapGroup) => unknown;
}

export type Values = { readonly [luid: string]: unknown };
export type MapGroup = (below: string, fields: FieldsBase, values: Values) => Values;

/**
 * Empty, in every spelling that the service or a hand-written seed may use. A function is none of
 * theirs: it is `Object.prototype.constructor` showing through where a field of that name is missing.
 */
export function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    typeof value === 'function'
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in a few words, for error texts. */
export function describe(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'no keys'}`;
  return String(value);
}

/** A zod error text in one form for all kinds: what was expected, what was found, what to do. */
export function expected(noun: string, fix = 'correct the entry, or the field in the model map') {
  return ({ input }: { input?: unknown }): string =>
    isEmpty(input)
      ? 'required, but empty: fill it in, or take `required` off the field'
      : `expected ${noun}, found ${describe(input)}: ${fix}`;
}

/**
 * A schema that looks at the value to choose the one that judges it. `choose` answers with that
 * schema, with a text if none fits, or with `undefined` to let the value pass as it is.
 */
export function chosen(choose: (value: unknown) => z.ZodType | string | undefined): z.ZodType {
  return z.unknown().transform((value, context) => {
    const schema = choose(value);
    if (schema === undefined) return value;
    if (typeof schema === 'string') {
      context.issues.push({ code: 'custom', message: schema, input: value });
      return z.NEVER;
    }
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      context.issues.push({ code: 'custom', message: issue.message, path: [...issue.path], input: value });
    }
    return z.NEVER;
  });
}
