import type { CombinationField, FieldSetField, RepeatField } from '../../models/field-types/groups.ts';
import { isRecord } from '../../shared/is-record.ts';
import { getOwn } from '../state/own-property.ts';
import type { FieldBehaviour, Formats, Values } from './field-behaviour.ts';

interface Block {
  readonly luid: string;
  readonly fields: Values;
}

export const fieldSet: FieldBehaviour<FieldSetField> = {
  control: 'group',
  parse: (field, value, context) => context.group('', field.fields, value),
  serialize: (field, stored, scope, projection) => scope.group(field.fields, stored as Values, projection),
  selectable: true,
};

export const repeat: FieldBehaviour<RepeatField> = {
  control: 'list',
  parse: (field, value, context) =>
    Array.isArray(value)
      ? context.list(value, (entry, index) => context.group(`[${index}]`, field.fields, entry))
      : context.refuse('a list of objects'),
  serialize: (field, stored, scope, projection) =>
    (stored as Values[]).map((entry) => scope.group(field.fields, entry, projection)),
  selectable: true,
};

export const combination: FieldBehaviour<CombinationField> = {
  control: 'blocks',
  parse: (field, value, context) => {
    if (!Array.isArray(value)) return context.refuse('a list of { luid, fields }');
    return context.list(value, (block, index): Block => {
      const luid = isRecord(block) ? block.luid : undefined;
      const set = typeof luid === 'string' ? getOwn(field.sets, luid) : undefined;
      const hasOtherKeys =
        isRecord(block) && Object.keys(block).some((key) => key !== 'luid' && key !== 'fields');
      if (!isRecord(block) || !set || hasOtherKeys) {
        return context.refuse(`{ luid, fields } with one of the sets ${Object.keys(field.sets).join(', ')}`);
      }
      return { luid: luid as string, fields: context.group(`[${index}].fields`, set, block.fields ?? {}) };
    });
  },
  // A seed may omit `fields`.
  isWritable: (_field, value) =>
    Array.isArray(value) && value.every((block) => isRecord(block) && isRecord(block.fields)),
  // §4.1: `select` cannot name properties of blocks, so each is returned whole.
  serialize: (field, stored, scope, { formats }) =>
    (stored as Block[]).map(({ luid, fields }) => ({
      luid,
      fields: scope.group(getOwn(field.sets, luid) ?? {}, fields, {
        select: undefined,
        formats: formatsIn(luid, formats),
      }),
    })),
};

/** The formats of a block: those for its field set take precedence over those for any block. */
function formatsIn(luid: string, formats: Formats | undefined): Formats | undefined {
  const named = formats?.below.get(luid);
  if (!formats || !named) return formats;
  return { format: undefined, below: new Map([...formats.below, ...named.below]) };
}
