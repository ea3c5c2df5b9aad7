import { parseInstant } from '../../contract/instant.ts';
import type { SelectField } from '../../models/field-types/choices.ts';
import { type FieldBase, isEmpty } from '../../models/field-types/field-type.ts';
import { htmlSearchText } from '../../models/text/search-text.ts';
import { formatText } from '../flexible-text/text-formats.ts';
import type { FieldBehaviour, ParseContext } from './field-behaviour.ts';
import { formatInstant } from './instants.ts';
import { testBoolean, testHas, testInstant, testText } from './operator-conditions.ts';

const parseString = (_field: FieldBase, value: unknown, context: ParseContext) =>
  typeof value === 'string' ? value : context.refuse('a string');
const asIs = (_field: FieldBase, stored: unknown) => stored;
const asString = (stored: unknown) => stored as string;

// Options are checked in write requests only: content can have a value whose option was removed later.
export const select: FieldBehaviour<SelectField> = {
  control: 'select',
  parse: parseString,
  serialize: asIs,
  orderKey: asString,
  test: testText,
  isWritable: ({ options }, value) => !options || options.includes(value as string),
};

/** Single-line text. */
export const text: FieldBehaviour = {
  control: 'text',
  parse: parseString,
  serialize: asIs,
  orderKey: asString,
  test: testText,
  searchText: asString,
};

export const multiline: FieldBehaviour = { ...text, control: 'textarea' };

/** Stored as HTML. */
export const flexibleText: FieldBehaviour = {
  control: 'rich-text',
  parse: (_field, value, context) =>
    typeof value === 'string' ? context.html(value) : context.refuse('a string'),
  serialize: (_field, stored, scope, projection) =>
    formatText(scope.html(stored as string), projection.formats?.format ?? 'html'),
  test: (operator, operand) => testText(operator, operand, htmlSearchText),
  searchText: (stored) => htmlSearchText(stored as string),
  // §4.3 describes `ft_format`, an earlier section excludes flexible text from writes: assumed to work.
  isWritable: (_field, _value, space) => space.flexibleText,
};

export const boolean: FieldBehaviour = {
  control: 'checkbox',
  parse: (_field, value, context) => (typeof value === 'boolean' ? value : context.refuse('true or false')),
  serialize: asIs,
  orderKey: (stored) => stored as boolean,
  test: testBoolean,
};

export const multiSelect: FieldBehaviour = {
  control: 'multi-select',
  parse: (_field, value, context) => {
    const isValid =
      Array.isArray(value) && value.every((option) => typeof option === 'string' && option !== '');
    return isValid ? [...value] : context.refuse('a list of option values');
  },
  toWriteValue: (stored) => [...(stored as string[])],
  serialize: asIs,
  test: testHas,
  // §4.5: it can only be emptied.
  isWritable: (_field, value) => isEmpty(value),
};

/** Stored as milliseconds since 1970. */
export const datetime: FieldBehaviour = {
  control: 'datetime',
  parse: (_field, value, context) => {
    const time = typeof value === 'string' ? parseInstant(value) : undefined;
    return time === undefined ? context.refuse('an ISO 8601 time with Z or an offset') : context.time(time);
  },
  toWriteValue: (stored) => formatInstant(stored as number),
  serialize: (_field, stored) => formatInstant(stored as number),
  orderKey: (stored) => stored as number,
  test: testInstant,
};

export const unknown: FieldBehaviour = {
  control: 'json',
  parse: (_field, value) => structuredClone(value),
  toWriteValue: structuredClone,
  serialize: asIs,
};
