import type { FieldBase } from '../../models/field-types/field-type.ts';
import type { Field } from '../../models/field-types/index.ts';
import { onlyRule } from '../infer/inference-rule.ts';
import {
  judgeBoolean,
  judgeCombination,
  judgeFieldSet,
  judgeMedia,
  judgeMultiSelect,
  judgeReference,
  judgeRepeat,
  judgeUnknown,
} from '../infer/judge.ts';
import {
  judgeChoice,
  judgeLine,
  judgeLines,
  judgeMarkup,
  judgeSentences,
  judgeTime,
  judgeTitle,
  textRule,
} from '../infer/texts.ts';
import type { CliFieldType } from './cli-field-type.ts';

/** All field types, as the commands see them. */
export const CLI_FIELD_TYPES: { readonly [T in Field['type']]: CliFieldType } = {
  text: { builder: 'text', shape: 'text', rules: [textRule(0, judgeTitle), textRule(6, judgeLine)] },
  datetime: { builder: 'datetime', shape: 'text', rules: [textRule(1, judgeTime)] },
  flexible_text: {
    builder: 'flexibleText',
    shape: 'text',
    rules: [textRule(2, judgeMarkup)],
    isEvident: true,
  },
  multiline: {
    builder: 'multiline',
    shape: 'text',
    rules: [textRule(3, judgeLines), textRule(5, judgeSentences)],
    isEvident: true,
    inferredAs: ['text'],
  },
  select: { builder: 'select', argument: 'options', shape: 'text', rules: [textRule(4, judgeChoice)] },
  multi_select: {
    builder: 'multiSelect',
    argument: 'options',
    shape: 'list of texts',
    rules: onlyRule(judgeMultiSelect),
  },
  boolean: { builder: 'boolean', shape: 'true or false', rules: onlyRule(judgeBoolean) },
  media: { builder: 'media', shape: 'media', rules: onlyRule(judgeMedia) },
  reference: {
    builder: 'reference',
    argument: 'models',
    shape: 'content id',
    rules: onlyRule(judgeReference),
  },
  repeat: { builder: 'repeat', argument: 'fields', shape: 'list of groups', rules: onlyRule(judgeRepeat) },
  combination: {
    builder: 'combination',
    argument: 'sets',
    shape: 'list of blocks',
    rules: onlyRule(judgeCombination),
  },
  field_set: { builder: 'fieldSet', argument: 'fields', shape: 'group', rules: onlyRule(judgeFieldSet) },
  unknown: { builder: 'unknown', shape: 'something else', rules: onlyRule(judgeUnknown) },
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
