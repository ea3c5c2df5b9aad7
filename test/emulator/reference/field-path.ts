import { targetsOf } from '../../../src/models/field-types/reference.ts';
import type { Fields } from '../../../src/models/types.ts';
import { contentObject } from './content.ts';
import { type Reader, type Shown, showById, spaceOf } from './reader.ts';
import { own, type Seed, type Values } from './reference-seed.ts';

/** What a dotted path leads to in items of one model. */
export interface FieldPath {
  /** The row of §4.1's table of operators. */
  type: string;
  inRepeat: boolean;
  /** The values there: none where nothing is, several inside a repeat. */
  values: (reader: Reader, shown: Shown) => unknown[];
}

/** The rows that system properties belong to. */
const SYSTEM: Record<string, string> = {
  _id: 'reference',
  _model: 'select',
  _title: 'text',
  _created_at: 'datetime',
  _updated_at: 'datetime',
  _published_at: 'datetime',
  _last_published_at: 'datetime',
  _status: 'select',
  _space: 'select',
};

/** All that a path may lead to in a model: more than one where a reference has several target models. */
export function findFields(seed: Seed, model: string, path: string): FieldPath[] {
  const [head = '', ...rest] = path.split('.');
  if (rest.length === 0) return direct(seed, model, head);
  if (own(SYSTEM, head)) return [];
  const field = own(own(seed.models, model), head);
  const [inner = '', ...further] = rest;
  if (!field || further.length > 0) return [];
  switch (field.type) {
    case 'field_set':
      return inGroup(field.fields as Fields, inner).map((type) => ({
        type,
        inRepeat: false,
        values: (reader, shown) =>
          values(reader, shown, head).map((group) => own((group ?? {}) as Values, inner)),
      }));
    case 'repeat':
      return inGroup(field.fields as Fields, inner).map((type) => ({
        type,
        inRepeat: true,
        values: (reader, shown) =>
          values(reader, shown, head).flatMap((list) => (list as Values[]).map((entry) => own(entry, inner))),
      }));
    case 'reference':
      return (targetsOf(field) ?? Object.keys(seed.models)).flatMap((target) =>
        throughReference(seed, head, target, inner),
      );
    default:
      return [];
  }
}

function direct(seed: Seed, model: string, luid: string): FieldPath[] {
  const type = own(SYSTEM, luid) ?? own(own(seed.models, model), luid)?.type;
  return type ? [{ type, inRepeat: false, values: (reader, shown) => values(reader, shown, luid) }] : [];
}

function inGroup(fields: Fields, luid: string): string[] {
  const field = own(fields, luid);
  return field ? [field.type] : [];
}

function throughReference(seed: Seed, reference: string, model: string, luid: string): FieldPath[] {
  return direct(seed, model, luid).map((fieldPath) => ({
    ...fieldPath,
    values: (reader, shown) => {
      const [id] = values(reader, shown, reference);
      const target = showById(reader, id);
      return target?.content.model === model ? fieldPath.values(reader, target) : [];
    },
  }));
}

/** The value of a property as the reader would be sent it, with references as ids. */
function values(reader: Reader, shown: Shown, luid: string): unknown[] {
  if (luid === '_space') return [spaceOf(shown.content)];
  const value = own(contentObject(reader, shown, 0), luid);
  return value === undefined ? [] : [value];
}
