import * as z from 'zod';
import { isLuid } from '../../contract/luid.ts';
import { suggest } from '../../suggest.ts';
import { chosen, describe, expected, type FieldBase, isRecord, type Kind } from './field-type.ts';

export interface ReferenceField extends FieldBase {
  readonly type: 'reference';
  /** The models that it may point to: one, several, or absent for any. */
  readonly model?: string | readonly string[];
}

/** The LUIDs that a reference names, or `undefined` if it may point to any model. */
export function targetsOf(field: ReferenceField): readonly string[] | undefined {
  return typeof field.model === 'string' ? [field.model] : field.model;
}

const id = () => z.int({ error: expected('a content id') }).positive({ error: expected('a content id') });

export const reference: Kind<ReferenceField> = {
  leaf: true,
  noun: 'content or a content id',
  empty: () => null,
  operators: ['eq', 'in'],
  operand: 'number',
  identifies: true,
  keys: ['model'],
  check: (field, _luid, { models, complain }) => {
    if (field.model === undefined) return;
    const targets: unknown = targetsOf(field);
    if (!Array.isArray(targets) || targets.length === 0) {
      complain('.model', 'must be a model LUID or a list of them', 'leave it out to allow any model');
      return;
    }
    for (const target of targets) {
      if (!isLuid(target) || !models.has(target)) {
        complain(
          '.model',
          `names ${JSON.stringify(target)}, which is not declared`,
          `${suggest(target, [...models])}Declare that model, or name one of ${[...models].join(', ')}.`,
        );
      }
    }
  },
  schema: (field, context) => (context.depth === 0 ? id() : content(field, context.target)),
  write: id,
};

/**
 * Content of one of the field's models. Content of a model that the map lacks, or only its id,
 * passes where the field names no model; where it names some, the static type would lie.
 */
function content(field: ReferenceField, target: (model: string) => z.ZodType | undefined): z.ZodType {
  const targets = targetsOf(field);
  const noun = targets ? `content of ${targets.join(' or ')}` : 'content';
  return chosen((value) => {
    if (!targets && typeof value === 'number') return id();
    if (!isRecord(value) || typeof value._model !== 'string') return expected(noun)({ input: value });
    if (targets && !targets.includes(value._model)) {
      return `expected ${noun}, found content ${describe(value._id)} of ${value._model}: add that model to the reference`;
    }
    return target(value._model);
  });
}
