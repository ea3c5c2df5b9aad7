import * as z from 'zod';
import { valueOrderKey } from '../order-keys.ts';
import { type CheckContext, expected, type FieldBase, type FieldType } from './field-type.ts';

export interface BooleanField extends FieldBase {
  readonly type: 'boolean';
}

export interface SelectField extends FieldBase {
  readonly type: 'select';
  /** The option values, not their display names. Default: any value. */
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
  sortable: true;
}
export interface SelectTypes<F> {
  value: OptionOf<F>;
  empty: null;
  where: { eq?: OptionOf<F>; in?: readonly OptionOf<F>[] };
  write: OptionOf<F>;
  sortable: true;
  usableAsId: true;
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

function checkOptions(field: { options?: unknown }, _luid: string, { report }: CheckContext): void {
  if (field.options === undefined) return;
  const { options } = field;
  const isValid =
    Array.isArray(options) &&
    options.length > 0 &&
    options.every((value) => typeof value === 'string' && value !== '');
  if (!isValid) {
    report('.options', 'must be a list of one or more non-empty strings', 'Omit it to allow any value.');
  } else if (new Set(options).size < options.length) {
    report('.options', 'contains a value twice', 'Remove the second.');
  }
}

const withOptions = {
  keys: ['options'],
  check: checkOptions,
  withoutOptions: <F extends { options?: unknown }>({ options, ...field }: F) => field as F,
};

export const boolean: FieldType<BooleanField> = {
  empty: () => null,
  operators: ['eq'],
  operand: 'boolean',
  orderKey: valueOrderKey,
  keys: [],
  schema: () => z.boolean({ error: expected('true or false') }),
  quickParse: (_field, value) => (typeof value === 'boolean' ? value : undefined),
};

export const select: FieldType<SelectField> = {
  empty: () => null,
  operators: ['eq', 'in'],
  orderKey: valueOrderKey,
  usableAsId: true,
  ...withOptions,
  schema: (field) => option(field.options),
  quickParse: ({ options }, value) =>
    typeof value === 'string' && (!options || options.includes(value)) ? value : undefined,
};

export const multiSelect: FieldType<MultiSelectField> = {
  empty: () => [],
  operators: ['has'],
  ...withOptions,
  schema: (field) => z.array(option(field.options), { error: expected('a list of option values') }),
};
