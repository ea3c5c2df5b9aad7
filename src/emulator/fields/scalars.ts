import { parseInstant } from '../../contract/instant.ts';
import type { FieldBase } from '../../models/field-types/field-type.ts';
import { formatText, plainText } from '../flexible-text/text-formats.ts';
import type { Emulated, Intake } from './field-behaviour.ts';
import { formatInstant } from './instants.ts';
import { testBoolean, testHas, testInstant, testText } from './tests.ts';

const takeText = (_field: FieldBase, value: unknown, intake: Intake) =>
  typeof value === 'string' ? value : intake.refuse('text');
const asIs = (_field: FieldBase, kept: unknown) => kept;
const asKey = (kept: unknown) => kept as string;

/** Single-line and multi-line text. */
export const text: Emulated = {
  take: takeText,
  show: asIs,
  orderKey: asKey,
  test: (operator, operand) => testText(operator, operand),
  texts: (_field, kept) => [kept as string],
};

/** Kept as HTML. */
export const flexibleText: Emulated = {
  take: (_field, value, intake) =>
    typeof value === 'string' ? intake.html(value) : intake.refuse('flexible text'),
  show: (_field, kept, scope, asked) =>
    formatText(scope.html(kept as string), asked.formats?.format ?? 'html'),
  test: (operator, operand) => testText(operator, operand, plainText),
  texts: (_field, kept) => [plainText(kept as string)],
};

export const boolean: Emulated = {
  take: (_field, value, intake) => (typeof value === 'boolean' ? value : intake.refuse('true or false')),
  show: asIs,
  orderKey: (kept) => kept as boolean,
  test: testBoolean,
};

// Options are not checked: content keeps a value whose option was removed since.
export const select: Emulated = {
  take: takeText,
  show: asIs,
  orderKey: asKey,
  test: (operator, operand) => testText(operator, operand),
};

export const multiSelect: Emulated = {
  take: (_field, value, intake) => {
    const sound =
      Array.isArray(value) && value.every((option) => typeof option === 'string' && option !== '');
    return sound ? [...value] : intake.refuse('a list of option values');
  },
  give: (_field, kept) => [...(kept as string[])],
  show: asIs,
  test: testHas,
};

/** Kept as milliseconds since 1970. */
export const datetime: Emulated = {
  take: (_field, value, intake) => {
    const time = typeof value === 'string' ? parseInstant(value) : undefined;
    return time === undefined ? intake.refuse('an ISO 8601 time with Z or an offset') : intake.time(time);
  },
  give: (_field, kept) => formatInstant(kept as number),
  show: (_field, kept) => formatInstant(kept as number),
  orderKey: (kept) => kept as number,
  test: testInstant,
};

export const unknown: Emulated = {
  take: (_field, value) => structuredClone(value),
  give: (_field, kept) => structuredClone(kept),
  show: asIs,
};
