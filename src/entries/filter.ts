import type { WireContent } from '../contract/content.ts';
import { SYSTEM_PROPERTIES, SYSTEM_TIMES } from '../contract/content.ts';
import { parseInstant } from '../contract/instant.ts';
import { OPERATORS, type Operator } from '../contract/parameters.ts';
import { LuidConfigError } from '../errors.ts';
import { childGroups } from '../models/child-groups.ts';
import { type FieldBase, type FieldsBase, isRecord } from '../models/field-types/field-type.ts';
import { fieldTypeOf, isReference } from '../models/field-types/index.ts';
import { type ReferenceField, targetsOf } from '../models/field-types/reference.ts';
import { fieldsOf } from '../models/fields-of.ts';
import type { ModelMap } from '../models/types.ts';
import { showValue } from '../options.ts';
import { suggest } from '../suggest.ts';
import type { Corpus } from './corpus.ts';

/** `{ path: { operator: operand } }`, all of which must hold. */
export type Conditions = { readonly [path: string]: { readonly [operator: string]: unknown } | undefined };

/** Where the content that a reference names is found, unless the item embeds it. */
type Targets = Pick<Corpus, 'get'>;

/** Whether an item matches. */
export type Filter = (item: WireContent, targets: Targets) => boolean;

type Test = (value: unknown) => boolean;
type Values = { readonly [luid: string]: unknown };
/** Whether a value that a path leads to from an item satisfies a condition. */
type Check = (item: Values, targets: Targets) => boolean;

/**
 * The service's filters (§4.1), evaluated here, where they are exact. Refuses what the service would: a
 * path that leads nowhere, an operator that a field's type does not allow, an operand of another type.
 * `place` is where the filter was passed, for messages.
 */
export function compileFilter(models: ModelMap, model: string, where: Conditions, place?: string): Filter {
  const name = place === undefined ? 'where' : `${place}: where`;
  const checks = Object.entries(where).flatMap(([path, conditions]) => {
    if (conditions === undefined) return [];
    const way = follow(models, fieldsOf(models, model), path.split('.'));
    if (!way) throw unknownPath(models, model, path, name);
    if (!isRecord(conditions) || conditions instanceof Date) {
      throw notAnOperator(way, model, path, conditions, name);
    }
    return Object.entries(conditions)
      .filter(([, operand]) => operand !== undefined)
      .map(([operator, operand]) => compile(way, model, path, operator, operand, name));
  });
  return (item, targets) => checks.every((check) => check(item, targets));
}

function unknownPath(models: ModelMap, model: string, path: string, name: string): LuidConfigError {
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
function notAnOperator(way: Way, model: string, path: string, value: unknown, name: string) {
  const preferred: readonly Operator[] = Array.isArray(value) ? ['in'] : ['eq', 'has', 'contains', 'gte'];
  const operator = preferred.find((one) => way.operators.includes(one));
  const shown = value instanceof Date ? 'date' : showValue(value);
  return new LuidConfigError(`${name}: ${path} must be an object with an operator, got ${shown}`, {
    model,
    field: path,
    hint: `${operator && value !== null ? `Write { ${operator}: ${shown} }. ` : ''}${allowedOf(way, path)}`,
  });
}

function allowedOf({ operators }: Way, path: string): string {
  return operators.length > 0 ? `${path} allows ${operators.join(', ')}.` : `${path} cannot be filtered by.`;
}

function compile(
  way: Way,
  model: string,
  path: string,
  operator: string,
  operand: unknown,
  name: string,
): Filter {
  const fail = (problem: string, hint: string) =>
    new LuidConfigError(`${name}: ${path}[${operator}] ${problem}`, { model, field: path, hint });
  if (!(OPERATORS as readonly string[]).includes(operator)) {
    throw fail('is not an operator', `${suggest(operator, way.operators)}${allowedOf(way, path)}`);
  }
  if (!way.operators.includes(operator as Operator)) {
    throw fail('is not allowed for this type', allowedOf(way, path));
  }
  const problem = operandProblem(way, operator as Operator, operand);
  if (problem) throw fail(`must be ${problem}, got ${showValue(operand)}`, allowedOf(way, path));
  return way.check(operator as Operator, operand);
}

/** What the operand must be, where it is something else. */
function operandProblem({ operands }: Way, operator: Operator, operand: unknown): string | undefined {
  const isOne = (value: unknown) => operands.some((type) => typeof value === type);
  const noun = operands.map((type) => NOUNS[type]).join(' or ');
  if (operator === 'eq' || operator === 'has') return isOne(operand) ? undefined : noun;
  const isList = Array.isArray(operand);
  if (operator === 'in') return isList && operand.every(isOne) ? undefined : `a list, each ${noun}`;
  if (operator === 'contains') {
    const words: unknown[] = isList ? operand : [operand];
    return words.every((word) => typeof word === 'string') ? undefined : 'a string or a list of strings';
  }
  return instantOf(operand) === undefined ? 'a Date or an ISO 8601 string with Z or an offset' : undefined;
}

const NOUNS = { string: 'a string', boolean: 'true or false', number: 'a content id (a number)' };

interface Way {
  readonly operators: readonly Operator[];
  /** What a value is compared with. */
  readonly operands: readonly (keyof typeof NOUNS)[];
  /** The check of an operand that fits. */
  check(operator: Operator, operand: unknown): Check;
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
  if (rest.length === 0) {
    return fieldWay(field, isReference(field) ? (item) => idOf(read(item)) : read);
  }
  return inside(models, field, read, rest);
}

function inside(
  models: ModelMap,
  field: FieldBase,
  read: (item: Values) => unknown,
  rest: readonly string[],
): Way | undefined {
  if (isReference(field)) return through(models, field, read, rest);
  const { filterInside } = fieldTypeOf(field);
  const [group] = filterInside ? childGroups(field) : [];
  const inner = group && rest.length === 1 ? follow(models, group[1], rest) : undefined;
  if (!inner) return undefined;
  const isList = filterInside === 'list';
  // §4.1: only `eq` is supported in a repeat; it holds when one entry satisfies it.
  const operators = isList ? inner.operators.filter((operator) => operator === 'eq') : inner.operators;
  return {
    operators,
    operands: inner.operands,
    check(operator, operand) {
      const holds = inner.check(operator, operand);
      return (item, targets) => {
        const value = read(item);
        const groups = Array.isArray(value) ? value : value ? [value] : isList ? [] : [{}];
        return groups.some((group) => holds(group as Values, targets));
      };
    },
  };
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
      const way = rest.length === 1 ? follow(models, fieldsOf(models, name), rest) : undefined;
      return way ? [[name, way] as const] : [];
    }),
  );
  if (ways.size === 0) return undefined;
  const operators = OPERATORS.filter((operator) =>
    [...ways.values()].some((way) => way.operators.includes(operator)),
  );
  const operands = [...new Set([...ways.values()].flatMap((way) => way.operands))];
  return {
    operators,
    operands,
    check(operator, operand) {
      // A field of one name may be of another type in another model.
      const checks = new Map([...ways].map(([name, way]) => [name, way.check(operator, operand)]));
      return (item, targets) => {
        const value = read(item);
        const target = isRecord(value) ? value : typeof value === 'number' ? targets.get(value) : undefined;
        if (!target) return false;
        return checks.get(String(target._model))?.(target, targets) ?? false;
      };
    },
  };
}

/** A reference that is content, as in live entries, or an id, as in the replica. */
function idOf(value: unknown): unknown {
  return isRecord(value) ? value._id : value;
}

function fieldWay(field: FieldBase, read: (item: Values) => unknown): Way {
  const type = fieldTypeOf(field);
  const plain = (value: unknown) => type.plainText?.(field, value) ?? String(value ?? '');
  return {
    operators: type.operators,
    operands: [type.operand ?? 'string'],
    check(operator, operand) {
      const test = testFor(operator, operand, plain);
      return (item) => test(read(item));
    },
  };
}

const TEXT: Operator[] = ['eq', 'in', 'contains'];
const CHOICE: Operator[] = ['eq', 'in'];
const TIME: Operator[] = ['lt', 'lte', 'gt', 'gte'];

function systemWay(luid: string): Way | undefined {
  const isTime = (SYSTEM_TIMES as readonly string[]).includes(luid);
  if (!isTime && !['_id', '_model', '_title', '_status', '_space'].includes(luid)) return undefined;
  const operators = isTime ? TIME : luid === '_title' ? TEXT : CHOICE;
  return {
    operators,
    operands: [luid === '_id' ? 'number' : 'string'],
    check(operator, operand) {
      const test = testFor(operator, operand, (value) => String(value ?? ''));
      return (item) => test(item[luid]);
    },
  };
}

/** The test of an operand that has been checked. */
function testFor(operator: Operator, operand: unknown, plain: (value: unknown) => string): Test {
  if (operator === 'eq') return (value) => (value ?? '') === operand;
  if (operator === 'in') return (value) => (operand as readonly unknown[]).includes(value ?? '');
  if (operator === 'has') return (value) => Array.isArray(value) && value.includes(operand);
  if (operator === 'contains') {
    const words = (Array.isArray(operand) ? operand : String(operand).split(','))
      .map((word) => String(word).toLowerCase())
      .filter((word) => word !== '');
    return (value) => words.every((word) => plain(value).toLowerCase().includes(word));
  }
  const limit = instantOf(operand) as number;
  const compare = COMPARE[operator];
  return (value) => {
    const time = typeof value === 'string' ? parseInstant(value, { assumeUtc: true }) : undefined;
    return time !== undefined && compare(time, limit);
  };
}

function instantOf(operand: unknown): number | undefined {
  const time = operand instanceof Date ? operand.getTime() : parseInstant(String(operand));
  return Number.isNaN(time) ? undefined : time;
}

const COMPARE = {
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
};
