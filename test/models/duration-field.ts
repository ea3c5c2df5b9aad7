import * as z from 'zod';
import type { CliFieldType } from '../../src/cli/field-types/cli-field-type.ts';
import { CLI_FIELD_TYPES } from '../../src/cli/field-types/index.ts';
import { stringRule } from '../../src/cli/infer/infer-string.ts';
import type { FieldBehaviour } from '../../src/emulator/fields/field-behaviour.ts';
import { BEHAVIOURS } from '../../src/emulator/fields/index.ts';
import { testText } from '../../src/emulator/fields/operator-conditions.ts';
import { expected, type FieldBase, type FieldType } from '../../src/models/field-types/field-type.ts';
import { FIELD_TYPES } from '../../src/models/field-types/index.ts';

// A field type that exists only in tests, with all its declarations in this file: `PT1H30M`, sorted by length.

const DURATION = /^PT(?:(\d+)H)?(?:(\d+)M)?$/;

function minutesOf(value: unknown): number | undefined {
  const match = typeof value === 'string' && value !== 'PT' ? DURATION.exec(value) : null;
  return match ? Number(match[1] ?? 0) * 60 + Number(match[2] ?? 0) : undefined;
}

const schema = () =>
  z.string().refine((value) => minutesOf(value) !== undefined, { error: expected('a duration') });

const duration: FieldType = {
  empty: () => null,
  operators: ['eq', 'in'],
  orderKey: minutesOf,
  usableAsId: true,
  keys: [],
  schema,
};

const emulated: FieldBehaviour = {
  control: 'text',
  parse: (_field, value, context) => (minutesOf(value) === undefined ? context.refuse('a duration') : value),
  serialize: (_field, stored) => stored,
  orderKey: (stored) => minutesOf(stored) ?? 0,
  test: (operator, operand) => testText(operator, operand),
};

const inCli: CliFieldType = {
  builder: 'duration',
  shape: 'text',
  rules: [
    stringRule(1, ({ values }) =>
      values.every((value) => minutesOf(value) !== undefined) ? { field: durationField as never } : undefined,
    ),
  ],
  disproves: ['text'],
};

export const durationField: FieldBase = { type: 'duration' };

/** Adds the type to the tables, which are the only places that know all field types. Returns how to remove it. */
export function addDurationType(): () => void {
  const tables: [object, object][] = [
    [FIELD_TYPES, duration],
    [BEHAVIOURS, emulated],
    [CLI_FIELD_TYPES, inCli],
  ];
  for (const [table, type] of tables) Object.assign(table, { duration: type });
  return () => {
    for (const [table] of tables) Reflect.deleteProperty(table, 'duration');
  };
}
