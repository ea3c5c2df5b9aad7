import type { WireContent } from '../contract/content.ts';
import { SYSTEM_TIMES } from '../contract/content.ts';
import { parseInstant } from '../contract/instant.ts';
import { OPERATORS, type Operator } from '../contract/parameters.ts';
import { LuidConfigError } from '../errors.ts';
import { kindOf } from '../models/kinds/index.ts';
import type { FieldBase, FieldsBase } from '../models/kinds/kind.ts';
import { type ReferenceField, targetsOf } from '../models/kinds/reference.ts';
import type { ModelMap } from '../models/types.ts';
import type { Corpus } from './corpus.ts';

/** `{ path: { operator: operand } }`, all of which must hold. */
export type Conditions = { readonly [path: string]: { readonly [operator: string]: unknown } | undefined };

/** Whether an item matches. */
export type Filter = (item: WireContent, corpus: Corpus) => boolean;

type Test = (value: unknown) => boolean;
type Values = { readonly [luid: string]: unknown };
/** All values that a path leads to from an item: one, or those of a repeat's entries. */
type Reach = (item: Values, corpus: Corpus) => readonly unknown[];

/**
 * The service's filters (§4.1), evaluated on the replica, where they are exact. Refuses what the
 * service would: a path that leads nowhere, an operator that a field's type does not allow.
 */
export function compileFilter(models: ModelMap, model: string, where: Conditions): Filter {
  const checks = Object.entries(where).flatMap(([path, operators]) =>
    Object.entries(operators ?? {})
      .filter(([, operand]) => operand !== undefined)
      .map(([operator, operand]) => compile(models, model, path, operator, operand)),
  );
  return (item, corpus) => checks.every((check) => check(item, corpus));
}

function compile(models: ModelMap, model: string, path: string, operator: string, operand: unknown): Filter {
  const fail = (problem: string, hint: string) =>
    new LuidConfigError(`where: ${path}[${operator}] ${problem}`, { model, field: path, hint });
  if (!(OPERATORS as readonly string[]).includes(operator)) {
    throw fail('is no operator of the service', `Use one of ${OPERATORS.join(', ')}.`);
  }
  const way = follow(models, models[model] ?? {}, path.split('.'));
  if (!way)
    throw fail('leads nowhere', `Use a field of ${model}, or a path into a field set, repeat or reference.`);
  if (!way.operators.includes(operator as Operator)) {
    throw fail('is not allowed for this type', `It allows ${way.operators.join(', ') || 'no filter'}.`);
  }
  const test = testFor(operator as Operator, operand, way.plain);
  if (!test) throw fail(`cannot be ${JSON.stringify(operand)}`, 'See the operators in the README.');
  return (item, corpus) => way.reach(item, corpus).some(test);
}

interface Way {
  readonly reach: Reach;
  readonly operators: readonly Operator[];
  /** The text that `contains` looks at. */
  readonly plain: (value: unknown) => string;
}

function follow(
  models: ModelMap,
  fields: FieldsBase,
  [luid = '', ...rest]: readonly string[],
): Way | undefined {
  const system = systemWay(luid);
  if (system) return rest.length === 0 ? system : undefined;
  const field = Object.hasOwn(fields, luid) ? fields[luid] : undefined;
  if (!field) return undefined;
  const read = (item: Values) => (Object.hasOwn(item, luid) ? item[luid] : undefined);
  if (rest.length === 0) return { reach: (item) => [read(item)], ...fieldWay(field) };
  return inside(models, field, read, rest);
}

function inside(
  models: ModelMap,
  field: FieldBase,
  read: (item: Values) => unknown,
  rest: readonly string[],
): Way | undefined {
  const { fields, type } = field as FieldBase & { fields?: FieldsBase };
  if (type === 'reference') return through(models, field as ReferenceField, read, rest);
  const inner = fields && rest.length === 1 ? follow(models, fields, rest) : undefined;
  if (!inner) return undefined;
  // §4.1: only `eq` is supported in a repeat; it holds when one entry satisfies it.
  const operators =
    type === 'repeat' ? inner.operators.filter((operator) => operator === 'eq') : inner.operators;
  const reach: Reach = (item, corpus) => {
    const value = read(item);
    const groups = Array.isArray(value) ? value : value ? [value] : type === 'repeat' ? [] : [{}];
    return groups.flatMap((group) => inner.reach(group as Values, corpus));
  };
  return { ...inner, operators, reach };
}

/** Into referenced content: of the models that it may be of, those that have the field. */
function through(
  models: ModelMap,
  field: ReferenceField,
  read: (item: Values) => unknown,
  rest: readonly string[],
): Way | undefined {
  const ways = new Map(
    (targetsOf(field) ?? Object.keys(models)).flatMap((name) => {
      const way = rest.length === 1 ? follow(models, models[name] ?? {}, rest) : undefined;
      return way ? [[name, way] as const] : [];
    }),
  );
  const [first] = ways.values();
  if (!first) return undefined;
  const operators = OPERATORS.filter((operator) =>
    [...ways.values()].some((way) => way.operators.includes(operator)),
  );
  const reach: Reach = (item, corpus) => {
    const id = read(item);
    const target = typeof id === 'number' ? corpus.get(id) : undefined;
    const way = target && ways.get(target._model);
    return target && way ? way.reach(target, corpus) : [];
  };
  return { reach, operators, plain: first.plain };
}

function fieldWay(field: FieldBase): Omit<Way, 'reach'> {
  const kind = kindOf(field);
  return { operators: kind.operators, plain: (value) => kind.plain?.(field, value) ?? String(value ?? '') };
}

const TEXT: Operator[] = ['eq', 'in', 'contains'];
const CHOICE: Operator[] = ['eq', 'in'];
const TIME: Operator[] = ['lt', 'lte', 'gt', 'gte'];

function systemWay(luid: string): Way | undefined {
  const isTime = (SYSTEM_TIMES as readonly string[]).includes(luid);
  if (!isTime && !['_id', '_model', '_title', '_status', '_space'].includes(luid)) return undefined;
  const operators = isTime ? TIME : luid === '_title' ? TEXT : CHOICE;
  return { reach: (item) => [item[luid]], operators, plain: (value) => String(value ?? '') };
}

function testFor(operator: Operator, operand: unknown, plain: (value: unknown) => string): Test | undefined {
  if (operator === 'eq') return (value) => (value ?? '') === operand;
  if (operator === 'in') return Array.isArray(operand) ? (value) => operand.includes(value ?? '') : undefined;
  if (operator === 'has') return (value) => Array.isArray(value) && value.includes(operand);
  if (operator === 'contains') {
    const words = (Array.isArray(operand) ? operand : String(operand).split(','))
      .map((word) => String(word).toLowerCase())
      .filter((word) => word !== '');
    return (value) => words.every((word) => plain(value).toLowerCase().includes(word));
  }
  const limit = operand instanceof Date ? operand.getTime() : parseInstant(String(operand));
  if (limit === undefined || Number.isNaN(limit)) return undefined;
  const compare = COMPARE[operator];
  return (value) => {
    const time = typeof value === 'string' ? parseInstant(value, { assumeUtc: true }) : undefined;
    return time !== undefined && compare(time, limit);
  };
}

const COMPARE = {
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
};
