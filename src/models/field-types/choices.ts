import * as z from 'zod';
import { type CheckContext, expected, type FieldBase, type Kind } from './field-type.ts';

export interface BooleanField extends FieldBase {
  readonly type: 'boolean';
}

export interface SelectField extends FieldBase {
  readonly type: 'select';
  /** The option values, not their display names. Absent: any. */
  readonly options?: readonly string[];
}

export interface MultiSelectField extends FieldBase {
  readonly type: 'multi_select';
  readonly options?: readonly string[];
}

type OptionOf<F> = F extends { readonly options: readonly (infer O extends string)[] } ? O : string;

export interface BooleanTypes {
  value: boolean;
  empty: null;
  where: { eq?: boolean };
  write: boolean;
}
export interface SelectTypes<F> {
  value: OptionOf<F>;
  empty: null;
  where: { eq?: OptionOf<F>; in?: readonly OptionOf<F>[] };
  write: OptionOf<F>;
}
export interface MultiSelectTypes<F> {
  value: OptionOf<F>[];
  empty: never;
  where: { has?: OptionOf<F> };
  /** §4.5: multi-select is not supported in writes. */
  write: never;
}

function option(options: readonly string[] | undefined): z.ZodType {
  if (!options) return z.string({ error: expected('an option value') });
  return z.enum(options as [string, ...string[]], {
    error: expected(
      `one of ${options.map((value) => JSON.stringify(value)).join(', ')}`,
      'correct the entry, or add the value to the options in the model map',
    ),
  });
}

function checkOptions(field: { options?: unknown }, _luid: string, { complain }: CheckContext): void {
  if (field.options === undefined) return;
  const { options } = field;
  const sound =
    Array.isArray(options) &&
    options.length > 0 &&
    options.every((value) => typeof value === 'string' && value !== '');
  if (!sound) {
    complain('.options', 'must be a list of one or more non-empty texts', 'leave it out to allow any value');
  } else if (new Set(options).size < options.length) {
    complain('.options', 'names a value twice', 'remove the second');
  }
}

const boolean_ = () => z.boolean({ error: expected('true or false') });

export const boolean: Kind<BooleanField> = {
  noun: 'true or false',
  empty: () => null,
  operators: ['eq'],
  operand: 'boolean',
  keys: [],
  schema: boolean_,
  write: boolean_,
};

export const select: Kind<SelectField> = {
  noun: 'an option value',
  empty: () => null,
  identifies: true,
  operators: ['eq', 'in'],
  keys: ['options'],
  check: checkOptions,
  schema: (field) => option(field.options),
  write: (field) => option(field.options),
};

export const multiSelect: Kind<MultiSelectField> = {
  noun: 'a list of option values',
  empty: () => [],
  operators: ['has'],
  keys: ['options'],
  check: checkOptions,
  schema: (field) => z.array(option(field.options), { error: expected('a list of option values') }),
};
