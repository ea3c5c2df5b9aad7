import type { FieldBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import { type ReferenceField, targetsOf } from '../../models/field-types/reference.ts';
import { parseGroup } from '../fields/group-values.ts';
import { behaviourOf } from '../fields/index.ts';
import type { Item } from '../state/item.ts';
import type { SeedFields } from '../state/seed-types.ts';
import type { State } from '../state/state.ts';
import { linksOf } from './item-view.ts';
import type { StudioContext } from './studio-context.ts';
import type { FieldProblem } from './studio-types.ts';

class RefusedValueError extends Error {
  readonly path: string;

  constructor(path: string, problem: string) {
    super(problem);
    this.path = path.replace(/^\./, '');
  }
}

/**
 * The values that the service would refuse, at most one per field of the model. A link that the item already has can
 * stay, even if its target was archived since.
 */
export function findFieldProblems(
  values: SeedFields,
  model: string,
  item: Item | undefined,
  { requestContext }: StudioContext,
): FieldProblem[] {
  const { state, truncateTime } = requestContext();
  const fields = state.fields(model) ?? {};
  const known = item && linksOf(item, state);
  const check = (field: FieldBase, value: unknown, path: string) => {
    const { link } = fieldTypeOf(field);
    const isKnown = (link === 'media' ? known?.media : known?.contents)?.includes(value as number);
    if (link && !isKnown && !hasTarget(field, value, state)) refuse(path, describeMissing(field, value));
  };
  return Object.entries(values).flatMap(([luid, value]) => {
    try {
      const group = Object.fromEntries([[luid, value]]);
      parseGroup(fields, group, '', { refuse, check, time: truncateTime });
      return [];
    } catch (error) {
      if (!(error instanceof RefusedValueError)) throw error;
      return [{ path: error.path, message: error.message }];
    }
  });
}

function refuse(path: string, problem: string): never {
  throw new RefusedValueError(path, problem);
}

/** Whether a link is to something that exists and that the field accepts. Other values are judged by their shape. */
function hasTarget(field: FieldBase, value: unknown, state: State): boolean {
  if (typeof value !== 'number') return true;
  return (
    behaviourOf(field).isWritable?.(field, value, {
      flexibleText: true,
      hasMedia: (id) => state.media.get(id as number)?.archived === false,
      modelOf: (id) => state.findForAnyKey(id)?.model,
    }) ?? true
  );
}

function describeMissing(field: FieldBase, value: unknown): string {
  if (fieldTypeOf(field).link === 'media') return `is media ${value}, which does not exist or is archived`;
  const models = targetsOf(field as ReferenceField)?.join(' or ');
  return `is content ${value}, which does not exist, is archived${models ? ` or is not of the model ${models}` : ''}`;
}
