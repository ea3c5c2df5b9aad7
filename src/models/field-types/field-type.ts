import * as z from 'zod';
import type { Operator } from '../../contract/parameters.ts';
import { isRecord } from '../../shared/is-record.ts';
import { showValue } from '../../shared/options.ts';
import { suggest } from '../../shared/suggest.ts';
import type { OrderKey } from '../order-keys.ts';

export { isRecord };

/** The part that all field definitions share. A definition is plain data. */
export interface FieldBase {
  readonly type: string;
  readonly required?: boolean;
}

export type FieldsBase = { readonly [luid: string]: FieldBase };

/** What a field type needs to build the schema of one of its fields. */
export interface SchemaContext {
  /** How many more levels of references are content rather than ids. */
  readonly depth: number;
  /** Remove what the model map does not declare. */
  readonly strict: boolean;
  /** The schema of a group of fields at this depth. */
  fields(fields: FieldsBase): z.ZodType;
  /** The schema of a declared model's content, one level deeper; `undefined` if the model is not declared. */
  target(model: string): z.ZodType | undefined;
}

/** Reports a problem with a definition: the path below the field, the problem and the fix. */
export type ReportProblem = (below: string, problem: string, hint: string) => void;

/** What a field type can use of the whole model map to check a definition. */
export interface CheckContext {
  readonly models: ReadonlySet<string>;
  /** Checks the fields of a group at the path `below` the field. */
  fields(below: string, fields: unknown): void;
  /** Checks the fields of a field set, whose LUID is unique in the space (§1). */
  set(below: string, luid: string, fields: unknown): void;
  report: ReportProblem;
}

/** Reports a key of a definition that is set, but not to a boolean. */
export function checkBoolean(field: object, key: string, report: ReportProblem): void {
  const value: unknown = field[key as keyof typeof field];
  if (value === undefined || typeof value === 'boolean') return;
  report(`.${key}`, 'must be true or false', `Remove it, or write \`${key}: true\`.`);
}

/** Reports the keys of a definition, or of its options, that are not known. */
export function checkKeys(
  definition: object,
  known: readonly string[],
  hint: string,
  report: ReportProblem,
): void {
  for (const key of Object.keys(definition)) {
    if (!known.includes(key)) {
      report('', `has the unknown option ${showValue(key)}`, `${suggest(key, known)}${hint}`);
    }
  }
}

/**
 * Everything that depends on the type of a field. Code outside of this folder never compares `field.type`: it uses
 * `fieldTypeOf(field)`. What only the emulator or the CLI needs is declared in `emulator/fields` and
 * `cli/field-types`. Groups of fields in a definition are in `fields` or `sets`; `childGroups` finds them.
 */
export interface FieldType<F extends FieldBase = FieldBase> {
  /** What an empty value becomes: `''`, a new `[]` or `null`. */
  empty(): unknown;
  /** §4.1: the filter operators that the service supports. */
  readonly operators: readonly Operator[];
  /** The type of filter operands. Default: a string. */
  readonly operand?: 'boolean' | 'number';
  /** §4.1: a filter can name a field of the group inside; of a list of groups, one must match. */
  readonly filterInside?: 'group' | 'list';
  /** What items are sorted by, `undefined` for an empty value. Absent if the type is not sortable. */
  readonly orderKey?: (value: unknown) => OrderKey | undefined;
  /** Its values are short enough to be entry ids. */
  readonly usableAsId?: true;
  /** Its values are strings that people read: one line (which can be the title), several lines, or formatted. */
  readonly text?: 'line' | 'lines' | 'rich';
  /** Its values link to content, by id or embedded, or to media. `walk.ts` visits them. */
  readonly link?: 'reference' | 'media';
  /** Keys that a definition may have besides `type` and `required`. */
  readonly keys: readonly string[];
  /** Checks the values of these keys. */
  check?(field: F, luid: string, context: CheckContext): void;
  /** §2.2: the schema of a value that is not empty. */
  schema(field: F, context: SchemaContext): z.ZodType;
  /**
   * Parses a value that is not empty exactly as the schema of flat items does, without zod; `undefined` if only the
   * schema can tell.
   */
  readonly quickParse?: (field: F, value: unknown) => unknown;
  /** The plain text that `contains` searches, if that is not the value itself. */
  readonly plainText?: (field: F, value: unknown) => string | undefined;
  /** The definition without its list of options, if it has one: accepts values that were added since. */
  readonly withoutOptions?: (field: F) => F;
  /** The LUIDs of field sets in a value that the definition does not declare. */
  readonly undeclaredSets?: (field: F, value: unknown) => string[];
  /** Calls `change` for every group of fields in the value. Returns the value itself if no group changed. */
  readonly mapGroups?: (field: F, value: unknown, change: MapGroup) => unknown;
}

export type Values = { readonly [luid: string]: unknown };
/** `below` is the path from the field to the group, such as `[2].fields`; `set` the LUID of a block's field set. */
export type MapGroup = (below: string, fields: FieldsBase, values: Values, set?: string) => Values;

/**
 * Whether a value is empty, in any form that the service or a hand-written seed uses. A function is the inherited
 * `constructor` of an object in which a field of that name is missing.
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

/** A short description of a value, for error messages. */
export function describe(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'no keys'}`;
  return String(value);
}

/** The error message of all field types: what was expected, what was found, how to fix it. */
export function expected(noun: string, fix = 'correct the entry, or the field in the model map') {
  return ({ input }: { input?: unknown }): string =>
    isEmpty(input)
      ? 'required, but empty: fill it in, or remove `required` from the field'
      : `expected ${noun}, found ${describe(input)}: ${fix}`;
}

/**
 * A schema that depends on the value. `choose` returns the schema to parse it with, an error message, or `undefined`
 * to pass the value through.
 */
export function dynamicSchema(choose: (value: unknown) => z.ZodType | string | undefined): z.ZodType {
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
