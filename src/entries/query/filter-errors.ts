import { SYSTEM_PROPERTIES } from '../../contract/content.ts';
import type { Operator } from '../../contract/parameters.ts';
import { childGroups } from '../../models/child-groups.ts';
import type { FieldBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf, isReference } from '../../models/field-types/index.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { showValue } from '../../shared/options.ts';
import { suggest } from '../../shared/suggest.ts';

export function unknownPathError(
  models: ModelMap,
  model: string,
  path: string,
  name: string,
): LuidConfigError {
  const fields = fieldsOf(models, model);
  const known = [...Object.keys(fields), ...SYSTEM_PROPERTIES];
  const inner = Object.entries(fields).flatMap(([luid, field]) => innerPaths(models, luid, field));
  return new LuidConfigError(`${name} names ${showValue(path)}, which is not a field of ${model}`, {
    model,
    field: path,
    hint:
      suggest(path, path.includes('.') ? inner : known) +
      `Use one of ${known.join(', ')}, or a path into a field set, repeat or reference${inner[0] ? ` such as ${showValue(inner[0])}` : ''}.`,
  });
}

function innerPaths(models: ModelMap, luid: string, field: FieldBase): string[] {
  const { filterInside } = fieldTypeOf(field);
  const targets = isReference(field) ? (targetsOf(field) ?? Object.keys(models)) : [];
  const inside = filterInside ? childGroups(field).map(([, fields]) => fields) : [];
  const groups = [...inside, ...targets.map((target) => fieldsOf(models, target))];
  return groups.flatMap((group) => Object.keys(group).map((inner) => `${luid}.${inner}`));
}

/** `where: { place: 'x' }` in place of `{ place: { eq: 'x' } }`. */
export function missingOperatorError(
  operators: readonly Operator[],
  model: string,
  path: string,
  value: unknown,
  name: string,
): LuidConfigError {
  const preferred: readonly Operator[] = Array.isArray(value) ? ['in'] : ['eq', 'has', 'contains', 'gte'];
  const operator = preferred.find((one) => operators.includes(one));
  const shown = value instanceof Date ? 'date' : showValue(value);
  return new LuidConfigError(`${name}: ${path} must be an object with an operator, got ${shown}`, {
    model,
    field: path,
    hint: `${operator && value !== null ? `Write { ${operator}: ${shown} }. ` : ''}${describeOperators(operators, path)}`,
  });
}

/** What a path allows. */
export function describeOperators(operators: readonly Operator[], path: string): string {
  return operators.length > 0 ? `${path} allows ${operators.join(', ')}.` : `${path} cannot be filtered by.`;
}
