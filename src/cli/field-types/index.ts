import type { FieldBase } from '../../models/field-types/field-type.ts';
import type { Field } from '../../models/field-types/index.ts';
import {
  alterBoolean,
  alterDatetime,
  alterList,
  alterMedia,
  alterReference,
  alterRichText,
  alterSelect,
  alterText,
  alterUnknown,
} from '../audit-build/alter-value.ts';
import {
  inferCombination,
  inferFieldSet,
  inferMedia,
  inferMultiSelect,
  inferReference,
  inferRepeat,
  onlyRule,
} from '../infer/infer-by-shape.ts';
import {
  inferDatetime,
  inferFlexibleText,
  inferMultiline,
  inferMultilineFromSentences,
  inferSelect,
  inferText,
  inferTitle,
  stringRule,
} from '../infer/infer-string.ts';
import type { CliFieldType } from './cli-field-type.ts';

/** All field types, as the commands see them. */
export const CLI_FIELD_TYPES: { readonly [T in Field['type']]: CliFieldType } = {
  text: {
    builder: 'text',
    shape: 'text',
    rules: [stringRule(0, inferTitle), stringRule(6, inferText)],
    alter: alterText,
  },
  datetime: {
    builder: 'datetime',
    shape: 'text',
    rules: [stringRule(1, inferDatetime)],
    alter: alterDatetime,
  },
  flexible_text: {
    builder: 'flexibleText',
    shape: 'text',
    rules: [stringRule(2, inferFlexibleText)],
    alter: alterRichText,
  },
  multiline: {
    builder: 'multiline',
    shape: 'text',
    rules: [stringRule(3, inferMultiline), stringRule(5, inferMultilineFromSentences)],
    disproves: ['text'],
    inferredAs: ['text'],
    alter: alterText,
  },
  select: {
    builder: 'select',
    argument: 'options',
    shape: 'text',
    rules: [stringRule(4, inferSelect)],
    alter: alterSelect,
  },
  multi_select: {
    builder: 'multiSelect',
    argument: 'options',
    shape: 'list of texts',
    rules: onlyRule(inferMultiSelect),
    isWritable: false,
    alter: alterList,
  },
  boolean: {
    builder: 'boolean',
    shape: 'true or false',
    rules: onlyRule(() => ({ field: { type: 'boolean' } })),
    alter: alterBoolean,
  },
  media: { builder: 'media', shape: 'media', rules: onlyRule(inferMedia), alter: alterMedia },
  reference: {
    builder: 'reference',
    argument: 'models',
    shape: 'content id',
    rules: onlyRule(inferReference),
    alter: alterReference,
  },
  repeat: { builder: 'repeat', argument: 'fields', shape: 'list of groups', rules: onlyRule(inferRepeat) },
  combination: {
    builder: 'combination',
    argument: 'sets',
    shape: 'list of blocks',
    rules: onlyRule(inferCombination),
  },
  field_set: { builder: 'fieldSet', argument: 'fields', shape: 'group', rules: onlyRule(inferFieldSet) },
  unknown: {
    builder: 'unknown',
    shape: 'something else',
    rules: onlyRule(() => ({ field: { type: 'unknown' }, doubt: 'values that no field type has' })),
    isWritable: false,
    alter: alterUnknown,
  },
};

export function cliFieldTypeOf({ type }: Pick<FieldBase, 'type'>): CliFieldType {
  return CLI_FIELD_TYPES[type as Field['type']];
}

/** Whether the values of two types are of one shape, so that only their content can tell the types apart. */
export function haveSameShape(one: Pick<FieldBase, 'type'>, other: Pick<FieldBase, 'type'>): boolean {
  return cliFieldTypeOf(one).shape === cliFieldTypeOf(other).shape;
}

/** The field type of a builder. */
export function typeOfBuilder(builder: string): Field['type'] | undefined {
  const types = Object.keys(CLI_FIELD_TYPES) as Field['type'][];
  return types.find((type) => CLI_FIELD_TYPES[type].builder === builder);
}
