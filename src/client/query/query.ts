import { TEXT_FORMATS, type TextFormat } from '../../contract/parameters.ts';
import { declaredFields } from '../../models/fields-of.ts';
import { richTexts } from '../../models/formats.ts';
import type { ModelMap } from '../../models/types.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { showValue } from '../../shared/options.ts';
import { printable } from '../../shared/printable.ts';
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

/** The parameters of a query (§4.1, §4.2). An empty list means the same as none. */
export function queryParameters(
  query: AnyQuery,
): Record<string, string | number | boolean | undefined> & { readonly order: string | undefined } {
  const { select, include, order, contains, fallback, format = {}, where, ...others } = query;
  return {
    ...others,
    lang_fallback: fallback || undefined,
    select: listParameter('select', select),
    include: listParameter('include', include),
    order: listParameter('order', order),
    contains: listParameter('contains', contains),
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

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function listParameter(name: string, values: string | readonly string[] | undefined): string | undefined {
  return values === undefined || isEmptyList(values) ? undefined : joinValues(name, values);
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
    return fields ? [{ name, texts: new Map(richTexts(fields)) }] : [];
  });
  const agreed: Record<string, TextFormat> = {};
  for (const parameter of new Set(known.flatMap(({ texts }) => [...texts.keys()]))) {
    const declaring = known.filter(({ texts }) => texts.has(parameter));
    const [format, other] = new Set(declaring.map(({ texts }) => texts.get(parameter)));
    if (other) onConflict(parameter, declaring);
    else if (format && format !== TEXT_FORMATS[0]) agreed[parameter] = format;
  }
  return agreed;
}
