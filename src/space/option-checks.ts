import type { FieldBase, FieldsBase } from '../models/field-types/field-type.ts';
import { declaredFields } from '../models/fields-of.ts';
import type { Fields, ModelMap } from '../models/types.ts';
import { LuidConfigError } from '../shared/errors.ts';
import { isRecord } from '../shared/is-record.ts';
import { type OptionRule, showValue } from '../shared/options.ts';
import { suggest } from '../shared/suggest.ts';
import type { Languages } from './space-options.ts';

// Checks that the loader and the live loader share.

export { isRecord as isObject };

/** A filter. Its conditions are checked when it is compiled. */
export const WHERE: OptionRule = {
  expected: "an object such as { title: { eq: 'x' } }",
  accepts: isRecord,
};

/** The fields of a declared model. Throws if it is not declared. */
export function findModel(place: string, models: ModelMap, model: string): Fields {
  const fields = declaredFields(models, model);
  if (fields) return fields;
  const known = Object.keys(models);
  throw new LuidConfigError(`${place}: no such model is declared`, {
    model,
    hint: `${suggest(model, known)}Use one of ${known.join(', ')}, or declare it in \`models\`.`,
  });
}

interface FieldOption {
  readonly place: string;
  readonly model: string;
  readonly fields: FieldsBase;
  readonly option: string;
  /** What the option accepts besides fields, in words. */
  readonly also?: string;
}

/** Throws if a name is not a field, or not one that the option can use. */
export function checkField(
  { place, model, fields, option, also }: FieldOption,
  luid: string,
  fits: (field: FieldBase) => boolean,
): void {
  const field = Object.hasOwn(fields, luid) ? fields[luid] : undefined;
  if (field && fits(field)) return;
  const usable = Object.entries(fields).flatMap(([name, other]) => (fits(other) ? [name] : []));
  const choice = [...usable, ...(also ? [also] : [])].join(', ');
  const problem = field
    ? `which cannot be used there: it is ${describeField(field)}`
    : `which is not a field of ${model}`;
  throw new LuidConfigError(`${place}: ${option} names ${showValue(luid)}, ${problem}`, {
    model,
    field: luid,
    hint:
      (field ? '' : suggest(luid, usable)) +
      (choice ? `Use one of ${choice}.` : `${model} has no field that can be used there.`),
  });
}

function describeField(field: FieldBase): string {
  const format = formatOf(field);
  return `of type ${field.type}${format === undefined ? '' : ` with the format ${format}`}`;
}

export function formatOf(field: FieldBase | undefined): string | undefined {
  return (field as { format?: string } | undefined)?.format;
}

/** Throws for languages that the space does not declare. */
export function checkLanguages(
  place: string,
  languages: Languages | undefined,
  lang?: string,
  langs?: readonly string[],
): void {
  if (lang !== undefined && langs !== undefined) {
    throw new LuidConfigError(`${place}: lang and langs exclude each other`, {
      hint: 'Pass `lang` for one language, or `langs` for several in one collection.',
    });
  }
  if (langs?.length === 0) {
    throw new LuidConfigError(`${place}: langs is empty`, { hint: 'List at least one language.' });
  }
  const requested = langs ?? (lang === undefined ? [] : [lang]);
  const known = languages ? [languages.main, ...(languages.sub ?? [])] : [];
  const unknown = requested.find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw new LuidConfigError(`${place}: the space has no language ${showValue(unknown)}`, {
      hint:
        known.length > 0
          ? `${suggest(unknown, known)}Use one of ${known.join(', ')}, or declare it in defineSpace({ languages }).`
          : "Declare the space’s languages: defineSpace({ languages: { main: 'ja', sub: ['en'] } }).",
    });
  }
  const duplicate = requested.find((key, index) => requested.indexOf(key) < index);
  if (duplicate === undefined) return;
  throw new LuidConfigError(`${place}: langs names ${showValue(duplicate)} twice`, {
    hint: 'Remove one of them.',
  });
}
