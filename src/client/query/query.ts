import type { TextFormat } from '../../contract/parameters.ts';
import { LuidConfigError } from '../../errors.ts';
import { declaredFields } from '../../models/fields-of.ts';
import { formatsOf } from '../../models/formats.ts';
import type { ModelMap } from '../../models/types.ts';
import type { QueryParameters } from '../http/url.ts';

type Operand = string | number | boolean | Date | readonly (string | number)[] | undefined;
type Conditions = { readonly [path: string]: { readonly [operator: string]: Operand } | undefined };

/** Any query, as the functions of this file see it; its own types have been checked by the compiler. */
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

/** The parameters (§4.1, §4.2) that say what a query says. */
export function parametersOf(query: AnyQuery): Record<string, string | number | boolean | undefined> {
  const {
    depth,
    select,
    lang,
    fallback,
    format = {},
    where,
    contains,
    order,
    limit,
    offset,
    space,
    include,
  } = query;
  return {
    depth,
    limit,
    offset,
    lang,
    space,
    lang_fallback: fallback || undefined,
    select: select && joined('select', select),
    include: include && joined('include', include),
    order: order && joined('order', order),
    contains: contains === undefined ? undefined : joined('contains', contains),
    ...Object.fromEntries(Object.entries(format).map(([path, value]) => [`${path}[format]`, value])),
    ...filters((where ?? {}) as Conditions),
  };
}

function filters(where: Conditions): QueryParameters {
  const parameters: Record<string, string> = {};
  for (const [path, operators] of Object.entries(where)) {
    for (const [operator, operand] of Object.entries(operators ?? {})) {
      if (operand === undefined) continue;
      const name = `${path}[${operator}]`;
      parameters[name] = Array.isArray(operand) ? joined(name, operand) : text(operand);
    }
  }
  return parameters;
}

/** The service splits lists at commas and knows no way around it, so a value must not hold one. */
function joined(name: string, values: string | readonly (string | number)[]): string {
  if (typeof values === 'string') return values;
  const bad = values.find((value) => String(value).includes(','));
  if (bad === undefined) return values.join(',');
  throw new LuidConfigError(
    `${name}: the value ${JSON.stringify(bad)} holds a comma, at which the service splits`,
    {
      field: name,
      hint: name.endsWith('[in]') ? 'Ask for that value alone, with `eq`.' : 'Leave the comma out.',
    },
  );
}

function text(operand: Exclude<Operand, undefined>): string {
  return operand instanceof Date ? operand.toISOString() : String(operand);
}

/** A filter that allows no value at all matches nothing, and there is no way to ask the service that. */
export function matchesNothing(query: AnyQuery): boolean {
  const conditions = Object.values((query.where ?? {}) as Conditions);
  return conditions.some((operators) => Array.isArray(operators?.in) && operators.in.length === 0);
}

/**
 * The formats that the model map declares. Where models disagree on a field, `onConflict` decides:
 * one request can ask for it in one format only.
 */
export function declaredFormats(
  models: ModelMap | undefined,
  names: readonly string[],
  onConflict: (parameter: string, names: string[]) => void = () => {},
): Record<string, TextFormat> {
  const known = names.flatMap((name) => {
    const fields = declaredFields(models, name);
    return fields ? [{ name, fields, formats: formatsOf(fields) }] : [];
  });
  const agreed: Record<string, TextFormat> = {};
  for (const parameter of new Set(known.flatMap(({ formats }) => Object.keys(formats)))) {
    const [luid = ''] = parameter.split(/[.[]/);
    const concerned = known.filter(({ fields }) => Object.hasOwn(fields, luid));
    const formats = new Set(concerned.map((model) => model.formats[parameter]));
    const [format] = formats;
    if (formats.size === 1 && format) agreed[parameter] = format;
    else
      onConflict(
        parameter,
        concerned.map(({ name }) => name),
      );
  }
  return agreed;
}
