import { type IsLuid, isLuid } from '../contract/luid.ts';
import { LuidConfigError } from '../shared/errors.ts';
import { isRecord } from '../shared/is-record.ts';
import { showValue } from '../shared/options.ts';
import { suggest } from '../shared/suggest.ts';
import { canonicalJson } from './canonical-json.ts';
import { type CheckContext, checkBoolean, checkKeys, type FieldBase } from './field-types/field-type.ts';
import { FIELD_TYPES, fieldTypeOf, isFieldType } from './field-types/index.ts';
import type { ModelMap } from './types.ts';

interface Problem {
  readonly place: string;
  readonly problem: string;
  readonly hint: string;
}

/** Throws for an invalid model map, with every problem and its fix. `place` names the map in the message. */
export function checkModels(models: unknown, place = 'models'): asserts models is ModelMap {
  const problems = findProblems(models, place);
  const [first] = problems;
  if (!first) return;
  const lines = problems.map(({ place, problem, hint }) => `${place} ${problem}\n    → ${hint}`);
  throw new LuidConfigError(
    problems.length === 1 ? `Invalid model map: ${lines[0]}` : `Invalid model map:\n  ${lines.join('\n  ')}`,
    { field: first.place },
  );
}

function findProblems(models: unknown, place: string): Problem[] {
  if (!isRecord(models) || Object.keys(models).length === 0) {
    const hint = 'Declare at least one model: { article: { title: field.text() } }.';
    return [{ place, problem: 'is empty', hint }];
  }
  const problems: Problem[] = [];
  const names = new Set(Object.keys(models));
  const sets = new Map<string, { place: string; definition: string }>();

  function report(place: string, problem: string, hint: string): void {
    problems.push({ place, problem, hint });
  }

  function checkFields(place: string, fields: unknown): void {
    if (!isRecord(fields) || Object.keys(fields).length === 0) {
      report(place, 'has no fields', 'Declare at least one: { title: field.text() }.');
      return;
    }
    for (const [luid, field] of Object.entries(fields)) {
      if (isLuid(luid)) checkField(`${place}.${luid}`, luid, field);
      else reportLuid(place, luid);
    }
  }

  function checkField(place: string, luid: string, field: unknown): void {
    if (!isRecord(field) || !isFieldType(field.type)) {
      const types = Object.keys(FIELD_TYPES);
      report(
        place,
        isRecord(field) && field.type !== undefined
          ? `has the unknown type ${showValue(field.type)}`
          : `must be a field, got ${showValue(field)}`,
        `${isRecord(field) ? suggest(field.type, types) : ''}Use a builder such as field.text(), or { type } with one of ${types.join(', ')}.`,
      );
      return;
    }
    const definition = field as unknown as FieldBase;
    const type = fieldTypeOf(definition);
    const context: CheckContext = {
      models: names,
      fields: (below, fields) => checkFields(`${place}${below}`, fields),
      set: (below, setLuid, fields) => checkSet(`${place}${below}`, setLuid, fields),
      report: (below, problem, hint) => report(`${place}${below}`, problem, hint),
    };
    const known = ['required', ...type.keys];
    const options = `Options of a ${field.type} field: ${known.join(', ')}.`;
    checkKeys(field, ['type', ...known], options, context.report);
    checkBoolean(field, 'required', context.report);
    type.check?.(definition, luid, context);
  }

  /** §1: a field-set LUID is unique in a space, so all its uses must have the same definition. */
  function checkSet(place: string, luid: string, fields: unknown): void {
    checkFields(place, fields);
    const definition = canonicalJson(fields);
    const other = sets.get(luid);
    if (!other) sets.set(luid, { place, definition });
    else if (other.definition !== definition) {
      report(
        place,
        `and ${other.place} are two different field sets with the LUID "${luid}"`,
        'A field-set LUID is unique in a space: define it once and use it in both places.',
      );
    }
  }

  function reportLuid(place: string, luid: string): void {
    const hint = 'Use a-z, 0-9 and _ only, as the service does.';
    report(`${place}[${JSON.stringify(luid)}]`, 'is not a LUID', hint);
  }

  for (const [luid, fields] of Object.entries(models)) {
    if (isLuid(luid)) checkFields(`${place}.${luid}`, fields);
    else reportLuid(place, luid);
  }
  return problems;
}

/** The static counterpart of `checkModels`: a valid map is itself, an invalid part becomes a type that explains why. */
export type CheckedModels<M> = keyof M extends never
  ? { 'declare at least one model': never }
  : { readonly [K in keyof M]: IsLuid<K> extends true ? CheckedFields<M[K], keyof M> : BadLuid<K> };

type CheckedFields<F, Names> = {
  readonly [K in keyof F]: IsLuid<K> extends true ? CheckedField<F[K], Names> : BadLuid<K>;
};

type CheckedField<F, Names> = F extends { readonly type: 'reference'; readonly model: infer T }
  ? [T] extends [Names | readonly Names[]]
    ? F
    : { readonly type: 'reference'; readonly model: Names | readonly Names[] }
  : F extends { readonly fields: infer I }
    ? F & { readonly fields: CheckedFields<I, Names> }
    : F extends { readonly sets: infer S }
      ? F & {
          readonly sets: {
            readonly [K in keyof S]: IsLuid<K> extends true ? CheckedFields<S[K], Names> : BadLuid<K>;
          };
        }
      : F;

type BadLuid<K> = `"${K & string}" is not a LUID: use a-z, 0-9 and _ only`;
