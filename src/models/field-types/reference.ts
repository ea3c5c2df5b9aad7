import * as z from 'zod';
import { isLuid } from '../../contract/luid.ts';
import { isRecord } from '../../shared/is-record.ts';
import { suggest } from '../../shared/suggest.ts';
import { describe, dynamicSchema, expected, type FieldBase, type FieldType } from './field-type.ts';

export interface ReferenceField extends FieldBase {
  readonly type: 'reference';
  /** The models that it can point to: one or several. Default: any. */
  readonly model?: string | readonly string[];
}

/** The models that a reference can point to, or `undefined` for any. */
export function targetsOf(field: ReferenceField): readonly string[] | undefined {
  return typeof field.model === 'string' ? [field.model] : field.model;
}

const id = () => z.int({ error: expected('a content id') }).positive({ error: expected('a content id') });

export const reference: FieldType<ReferenceField> = {
  empty: () => null,
  operators: ['eq', 'in'],
  operand: 'number',
  usableAsId: true,
  link: 'reference',
  keys: ['model'],
  check: (field, _luid, { models, report }) => {
    if (field.model === undefined) return;
    const targets: unknown = targetsOf(field);
    if (!Array.isArray(targets) || targets.length === 0) {
      report('.model', 'must be a model LUID or a list of them', 'Omit it to allow any model.');
      return;
    }
    for (const target of targets) {
      if (!isLuid(target) || !models.has(target)) {
        report(
          '.model',
          `names ${JSON.stringify(target)}, which is not declared`,
          `${suggest(target, [...models])}Declare that model, or name one of ${[...models].join(', ')}.`,
        );
      }
    }
  },
  schema: (field, context) => (context.depth === 0 ? id() : content(field, context.target)),
  quickParse: (_field, value) => (Number.isSafeInteger(value) && (value as number) > 0 ? value : undefined),
};

/**
 * Content of one of the field's models. Content of an undeclared model, or its id, is valid only if the field names
 * no models: otherwise it would contradict the static type.
 */
function content(field: ReferenceField, target: (model: string) => z.ZodType | undefined): z.ZodType {
  const targets = targetsOf(field);
  const description = targets ? `content of ${targets.join(' or ')}` : 'content';
  return dynamicSchema((value) => {
    if (!targets && typeof value === 'number') return id();
    if (!isRecord(value) || typeof value._model !== 'string') return expected(description)({ input: value });
    if (targets && !targets.includes(value._model)) {
      return `expected ${description}, found content ${describe(value._id)} of ${value._model}: add that model to the reference`;
    }
    return target(value._model);
  });
}
