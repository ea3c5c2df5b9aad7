import type { TextFormat } from '../../contract/parameters.ts';
import { LuidConfigError } from '../../errors.ts';
import { isRecord } from '../../is-record.ts';
import { declaredFields } from '../../models/fields-of.ts';
import { formatsOf, richTexts } from '../../models/formats.ts';
import type { ModelMap } from '../../models/types.ts';
import { showValue } from '../../options.ts';
import { printable } from '../../printable.ts';
import type { QueryParameters } from '../http/canonical-url.ts';

type Operand = string | number | boolean | Date | readonly (string | number)[] | undefined;
type Conditions = { readonly [path: string]: { readonly [operator: string]: Operand } | undefined };

/** Any query; the compiler has checked its exact type before. */
export interface AnyQuery {
  readonly depth?: number | undefined;
  readonly select?: readonly string[] | undefined;
  readonly lang?: string | undefined;
  readonly fallback?: boolean | undefined;
  readonly format?: { readonly [path: string]: TextFormat } | undefined;
  readonly where?: unknown;
  readonly contains?: string | readonly string[] | undefined;
  readonly order?: string | readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly space?: string | undefined;
  readonly include?: readonly string[] | undefined;
}

const LISTS = ['select', 'order', 'include', 'contains'];

/** The query without lists that are empty: they mean the same as none. */
export function withoutEmptyLists(query: unknown): unknown {
  if (!isRecord(query)) return query;
  const entries = Object.entries(query).filter(
    ([name, value]) => !(LISTS.includes(name) && isEmptyList(value)),
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === 'neighbours' ? withoutEmptyLists(value) : value]),
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** The parameters of a query (§4.1, §4.2). */
export function queryParameters(
  query: AnyQuery,
): Record<string, string | number | boolean | undefined> & { readonly order: string | undefined } {
  const { select, include, order, contains, fallback, format = {}, where, ...others } = query;
  return {
    ...others,
    lang_fallback: fallback || undefined,
    select: select && joinValues('select', select),
    include: include && joinValues('include', include),
    order: order && joinValues('order', order),
    contains: contains === undefined ? undefined : joinValues('contains', contains),
    ...Object.fromEntries(Object.entries(format).map(([path, value]) => [`${path}[format]`, value])),
    ...filterParameters((where ?? {}) as Conditions),
  };
}

function filterParameters(where: Conditions): QueryParameters {
  const parameters: Record<string, string> = {};
  for (const [path, operators] of Object.entries(where)) {
    for (const [operator, operand] of Object.entries(operators ?? {})) {
      if (operand === undefined || (operator === 'contains' && isEmptyList(operand))) continue;
      const name = `${path}[${operator}]`;
      parameters[name] = Array.isArray(operand) ? joinValues(name, operand) : formatOperand(name, operand);
    }
  }
  return parameters;
}

/** The service splits lists at commas, and there is no way to escape them. */
function joinValues(name: string, values: string | readonly (string | number)[]): string {
  if (typeof values === 'string') return values;
  const invalid = values.find((value) => String(value).includes(','));
  if (invalid === undefined) return values.join(',');
  throw new LuidConfigError(
    `${printable(name, 60)}: the value ${showValue(invalid)} must not contain a comma, which separates values`,
    { field: name, hint: name.endsWith('[in]') ? 'Use `eq` for this value.' : 'Remove the comma.' },
  );
}

function formatOperand(name: string, operand: Exclude<Operand, undefined>): string {
  if (!(operand instanceof Date)) return String(operand);
  if (!Number.isNaN(operand.getTime())) return operand.toISOString();
  throw new LuidConfigError(`${printable(name, 60)}: the date is invalid`, { field: name });
}

/** Whether a filter has an empty list of values, which a request cannot express. */
export function matchesNothing(query: AnyQuery): boolean {
  const conditions = Object.values((query.where ?? {}) as Conditions);
  return conditions.some((operators) => isEmptyList(operators?.in));
}

/**
 * The formats that the model map declares. A request can have one format per field only: if models
 * declare different ones, the field is skipped and `onConflict` called.
 */
export function declaredFormats(
  models: ModelMap | undefined,
  names: readonly string[],
  onConflict: (parameter: string, models: { name: string }[]) => void = () => {},
): Record<string, TextFormat> {
  const known = names.flatMap((name) => {
    const fields = declaredFields(models, name);
    return fields ? [{ name, formats: formatsOf(fields), texts: richTexts(fields) }] : [];
  });
  const agreed: Record<string, TextFormat> = {};
  for (const parameter of new Set(known.flatMap(({ formats }) => Object.keys(formats)))) {
    const declaring = known.filter(({ texts }) => texts.has(parameter));
    const formats = new Set(declaring.map((model) => model.formats[parameter]));
    const [format] = formats;
    if (formats.size === 1 && format) agreed[parameter] = format;
    else onConflict(parameter, declaring);
  }
  return agreed;
}
