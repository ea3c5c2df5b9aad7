import { isRecord } from '../../models/field-types/field-type.ts';
import type { CombinationField, FieldSetField, RepeatField } from '../../models/field-types/groups.ts';
import { getOwn } from '../state/own-property.ts';
import type { Emulated, Formats, Values } from './field-behaviour.ts';

interface Block {
  readonly luid: string;
  readonly fields: Values;
}

export const fieldSet: Emulated<FieldSetField> = {
  take: (field, value, intake) => intake.group('', field.fields, value),
  give: (field, kept, group) => group(field.fields, kept as Values),
  show: (field, kept, scope, asked) => scope.group(field.fields, kept as Values, asked),
  texts: (field, kept, group) => group(field.fields, kept as Values),
  inside: (field) => ({ via: 'set', fields: field.fields }),
  selectable: true,
};

export const repeat: Emulated<RepeatField> = {
  take: (field, value, intake) =>
    Array.isArray(value)
      ? value.map((entry, index) => intake.group(`[${index}]`, field.fields, entry))
      : intake.refuse('a list of objects'),
  give: (field, kept, group) => (kept as Values[]).map((entry) => group(field.fields, entry)),
  show: (field, kept, scope, asked) =>
    (kept as Values[]).map((entry) => scope.group(field.fields, entry, asked)),
  texts: (field, kept, group) => (kept as Values[]).flatMap((entry) => group(field.fields, entry)),
  inside: (field) => ({ via: 'entries', fields: field.fields }),
  selectable: true,
};

export const combination: Emulated<CombinationField> = {
  take: (field, value, intake) => {
    if (!Array.isArray(value)) return intake.refuse('a list of { luid, fields }');
    return value.map((block: unknown, index): Block => {
      const luid = isRecord(block) ? block.luid : undefined;
      const set = typeof luid === 'string' ? getOwn(field.sets, luid) : undefined;
      const strange = isRecord(block) && Object.keys(block).some((key) => key !== 'luid' && key !== 'fields');
      if (!isRecord(block) || !set || strange) {
        return intake.refuse(`{ luid, fields } with one of the sets ${Object.keys(field.sets).join(', ')}`);
      }
      return { luid: luid as string, fields: intake.group(`[${index}].fields`, set, block.fields ?? {}) };
    });
  },
  give: (field, kept, group) =>
    (kept as Block[]).map(({ luid, fields }) => ({
      luid,
      fields: group(getOwn(field.sets, luid) ?? {}, fields),
    })),
  // §4.1: `select` does not lead into a combination, so all of each block is shown.
  show: (field, kept, scope, { formats }) =>
    (kept as Block[]).map(({ luid, fields }) => ({
      luid,
      fields: scope.group(getOwn(field.sets, luid) ?? {}, fields, {
        select: undefined,
        formats: formatsIn(luid, formats),
      }),
    })),
  texts: (field, kept, group) =>
    (kept as Block[]).flatMap(({ luid, fields }) => group(getOwn(field.sets, luid) ?? {}, fields)),
  inside: (field) => ({ via: 'blocks', sets: field.sets }),
};

/** The formats of one block: those said of its field set go before those said of any block. */
function formatsIn(luid: string, formats: Formats | undefined): Formats | undefined {
  const named = formats?.below.get(luid);
  if (!formats || !named) return formats;
  return { format: undefined, below: new Map([...formats.below, ...named.below]) };
}
