import type { Field } from '../../models/field-types/index.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { Fields, ModelMap } from '../../models/types.ts';
import { cliFieldTypeOf, haveSameShape } from '../field-types/index.ts';
import type { Evidence, Inferred } from '../infer/infer.ts';
import type { MismatchLog } from './mismatch-log.ts';

interface Groups {
  readonly fields?: Fields;
  readonly sets?: ModelMap;
}

/** Fields of strings whose content shows for certain that they are of another type than declared. */
export function compareStringTypes(
  log: MismatchLog,
  declared: ModelMap,
  { models, evidence }: Inferred,
): void {
  function compare(model: string, fields: Fields, seen: Fields, prefix: string): void {
    for (const [luid, field] of Object.entries(fields)) {
      const other = Object.hasOwn(seen, luid) ? seen[luid] : undefined;
      const path = `${prefix}${luid}`;
      const found = evidence.get(`${model}.${path}`);
      if (!other || !found) continue;
      if (isContradiction(field, other, found)) {
        log.add(model, path, 'type', `declared as ${field.type}, but the content is ${other.type}`);
      }
      const [mine, theirs] = [field as Groups, other as Groups];
      if (mine.fields && theirs.fields) compare(model, mine.fields, theirs.fields, `${path}.`);
      for (const [set, inner] of Object.entries(mine.sets ?? {})) {
        const same = theirs.sets && Object.hasOwn(theirs.sets, set) ? theirs.sets[set] : undefined;
        if (same) compare(model, inner, same, `${path}.${set}.`);
      }
    }
  }

  for (const [model, fields] of Object.entries(declared)) {
    compare(model, fields, fieldsOf(models, model), '');
  }
}

/**
 * That something was not seen contradicts nothing: a multi-line text without line breaks looks like text. Nor does what
 * the declared type may contain, such as markup in a multi-line text, unless the operators prove another type.
 */
function isContradiction(declared: Field, seen: Field, { doubt, proved }: Evidence): boolean {
  if (declared.type === seen.type || !haveSameShape(declared, seen)) return false;
  if (cliFieldTypeOf(declared).inferredAs?.includes(seen.type)) return false;
  // What is proved may still leave open which options there are.
  if (proved) return true;
  return doubt === undefined && (cliFieldTypeOf(seen).disproves?.includes(declared.type) ?? false);
}
