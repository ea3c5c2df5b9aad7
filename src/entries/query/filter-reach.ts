import { isReference } from '../../models/field-types/index.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import type { Conditions } from './filter.ts';

/** Over how many references a change can decide whether a filter matches. */
export function filterReach(models: ModelMap, model: string, where: Conditions): number {
  const referenceOf = (name: string, luid: string) => {
    const fields = fieldsOf(models, name);
    const field = Object.hasOwn(fields, luid) ? fields[luid] : undefined;
    return field && isReference(field) ? field : undefined;
  };
  const reachesFar = Object.keys(where).some((path) => {
    const [luid = '', inner = ''] = path.split('.');
    const field = referenceOf(model, luid);
    return field && (targetsOf(field) ?? Object.keys(models)).some((name) => referenceOf(name, inner));
  });
  return reachesFar ? 2 : 1;
}
