import type { WireContent } from '../../contract/content.ts';
import { SYSTEM_TIMES } from '../../contract/content.ts';
import { parseInstant } from '../../contract/instant.ts';
import { OPERATORS, type Operator } from '../../contract/parameters.ts';
import { childGroups } from '../../models/child-groups.ts';
import { type FieldBase, type FieldsBase, isRecord } from '../../models/field-types/field-type.ts';
import { fieldTypeOf, isReference } from '../../models/field-types/index.ts';
import { type ReferenceField, targetsOf } from '../../models/field-types/reference.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { showValue } from '../../shared/options.ts';
import { printable } from '../../shared/printable.ts';
import { suggest } from '../../shared/suggest.ts';
import { isExisting } from '../existing-references.ts';
import type { LanguageItems } from '../language-items.ts';
import { describeOperators, missingOperatorError, unknownPathError } from './filter-errors.ts';

/** `{ path: { operator: operand } }`; all conditions must match. */
export type Conditions = { readonly [path: string]: { readonly [operator: string]: unknown } | undefined };

/** Referenced content by id, for items that do not embed it. */
type Targets = Pick<LanguageItems, 'get' | 'has' | 'isUndeclared'>;

/** Whether an item matches. */
export type Filter = (item: WireContent, targets: Targets) => boolean;

type Test = (value: unknown) => boolean;
type Values = { readonly [luid: string]: unknown };
/** Whether the value at a path of an item satisfies a condition. */
type Check = (item: Values, targets: Targets) => boolean;

/**
 * The service's filters (§4.1), evaluated locally, where they are exact. Rejects what the service would: an
 * unknown path, an operator that the field's type does not allow, an operand of the wrong type.
 * `place` names the option in messages.
 */
export function compileFilter(models: ModelMap, model: string, where: Conditions, place?: string): Filter {
  const name = place === undefined ? 'where' : `${place}: where`;
  const checks = Object.entries(where).flatMap(([path, conditions]) => {
    if (conditions === undefined) return [];
    const resolved = resolvePath(models, fieldsOf(models, model), path.split('.'));
    if (!resolved) throw unknownPathError(models, model, path, name);
    if (!isRecord(conditions) || conditions instanceof Date) {
      throw missingOperatorError(resolved.operators, model, path, conditions, name);
    }
    return Object.entries(conditions)
      .filter(([, operand]) => operand !== undefined)
      .map(([operator, operand]) => compileCondition(resolved, model, path, operator, operand, name));
  });
  return (item, targets) => checks.every((check) => check(item, targets));
}

function compileCondition(
  resolved: FilterPath,
  model: string,
  path: string,
  operator: string,
  operand: unknown,
  name: string,
): Filter {
  const fail = (problem: string, hint: string) =>
    new LuidConfigError(`${name}: ${path}[${printable(operator, 60)}] ${problem}`, {
      model,
      field: path,
      hint,
    });
  if (!(OPERATORS as readonly string[]).includes(operator)) {
    throw fail(
      'is not an operator',
      `${suggest(operator, resolved.operators)}${describeOperators(resolved.operators, path)}`,
    );
  }
  if (!resolved.operators.includes(operator as Operator)) {
    throw fail('is not allowed for this type', describeOperators(resolved.operators, path));
  }
  const problem = expectedOperand(resolved, operator as Operator, operand);
  if (problem)
    throw fail(`must be ${problem}, got ${showValue(operand)}`, describeOperators(resolved.operators, path));
  return resolved.check(operator as Operator, operand);
}

/** The expected operand, in words; `undefined` if it is valid. */
function expectedOperand({ operands }: FilterPath, operator: Operator, operand: unknown): string | undefined {
  const isOne = (value: unknown) => operands.some((type) => typeof value === type);
  const noun = operands.map((type) => OPERAND_NAMES[type]).join(' or ');
  if (operator === 'eq' || operator === 'has') return isOne(operand) ? undefined : noun;
  const isList = Array.isArray(operand);
  if (operator === 'in') return isList && operand.every(isOne) ? undefined : `a list, each ${noun}`;
  if (operator === 'contains') {
    const words: unknown[] = isList ? operand : [operand];
    return words.every((word) => typeof word === 'string') ? undefined : 'a string or a list of strings';
  }
  return instantOf(operand) === undefined ? 'a Date or an ISO 8601 string with Z or an offset' : undefined;
}

const OPERAND_NAMES = { string: 'a string', boolean: 'true or false', number: 'a content id (a number)' };

interface FilterPath {
  readonly operators: readonly Operator[];
  /** The types of operands for `eq`, `in` and `has`. */
  readonly operands: readonly (keyof typeof OPERAND_NAMES)[];
  /** The operand must be valid. */
  check(operator: Operator, operand: unknown): Check;
}

function resolvePath(
  models: ModelMap,
  fields: FieldsBase,
  [luid = '', ...rest]: readonly string[],
): FilterPath | undefined {
  const system = systemPath(luid);
  if (system) return rest.length === 0 ? system : undefined;
  const field = Object.hasOwn(fields, luid) ? fields[luid] : undefined;
  if (!field) return undefined;
  const read = (item: Values) => (Object.hasOwn(item, luid) ? item[luid] : undefined);
  if (rest.length === 0) return isReference(field) ? referencePath(field, read) : fieldPath(field, read);
  return resolveInGroup(models, field, read, rest);
}

function resolveInGroup(
  models: ModelMap,
  field: FieldBase,
  read: (item: Values) => unknown,
  rest: readonly string[],
): FilterPath | undefined {
  if (isReference(field)) return resolveInTarget(models, field, read, rest);
  const { filterInside } = fieldTypeOf(field);
  const [group] = filterInside ? childGroups(field) : [];
  const inner = group && rest.length === 1 ? resolvePath(models, group[1], rest) : undefined;
  if (!inner) return undefined;
  const isList = filterInside === 'list';
  // §4.1: only `eq` is supported in a repeat; it matches when one entry satisfies it.
  const operators = isList ? inner.operators.filter((operator) => operator === 'eq') : inner.operators;
  return {
    operators,
    operands: inner.operands,
    check(operator, operand) {
      const matches = inner.check(operator, operand);
      return (item, targets) => {
        const value = read(item);
        const groups = Array.isArray(value) ? value : value ? [value] : isList ? [] : [{}];
        return groups.some((group) => isRecord(group) && matches(group, targets));
      };
    },
  };
}

/** A path into referenced content: for each target model that has the field. */
function resolveInTarget(
  models: ModelMap,
  field: ReferenceField,
  read: (item: Values) => unknown,
  rest: readonly string[],
): FilterPath | undefined {
  const paths = new Map(
    (targetsOf(field) ?? Object.keys(models)).flatMap((name) => {
      const resolved = rest.length === 1 ? resolvePath(models, fieldsOf(models, name), rest) : undefined;
      return resolved ? [[name, resolved] as const] : [];
    }),
  );
  if (paths.size === 0) return undefined;
  const operators = OPERATORS.filter((operator) =>
    [...paths.values()].some((resolved) => resolved.operators.includes(operator)),
  );
  const operands = [...new Set([...paths.values()].flatMap((resolved) => resolved.operands))];
  return {
    operators,
    operands,
    check(operator, operand) {
      // Fields of the same name may have different types in different models.
      const checks = new Map([...paths].map(([name, resolved]) => [name, resolved.check(operator, operand)]));
      return (item, targets) => {
        const value = read(item);
        const target = isRecord(value) ? value : typeof value === 'number' ? targets.get(value) : undefined;
        if (!target) return false;
        return checks.get(String(target._model))?.(target, targets) ?? false;
      };
    },
  };
}

/**
 * A reference itself. It is content in live entries, and an id in the replica, where it may lead nowhere: then it is
 * empty, and no operand matches that.
 */
function referencePath(field: ReferenceField, read: (item: Values) => unknown): FilterPath {
  const idOf = (item: Values) => {
    const value = read(item);
    return isRecord(value) ? value._id : value;
  };
  const path = fieldPath(field, idOf);
  return {
    ...path,
    check(operator, operand) {
      const matches = path.check(operator, operand);
      return (item, targets) => {
        if (!matches(item, targets)) return false;
        const value = read(item);
        return typeof value !== 'number' || isExisting(field, value, targets);
      };
    },
  };
}

function fieldPath(field: FieldBase, read: (item: Values) => unknown): FilterPath {
  const type = fieldTypeOf(field);
  const plain = (value: unknown) => type.plainText?.(field, value) ?? String(value ?? '');
  return {
    operators: type.operators,
    operands: [type.operand ?? 'string'],
    check(operator, operand) {
      const test = createTest(operator, operand, plain);
      return (item) => test(read(item));
    },
  };
}

const TEXT: Operator[] = ['eq', 'in', 'contains'];
const CHOICE: Operator[] = ['eq', 'in'];
const TIME: Operator[] = ['lt', 'lte', 'gt', 'gte'];

function systemPath(luid: string): FilterPath | undefined {
  const isTime = (SYSTEM_TIMES as readonly string[]).includes(luid);
  if (!isTime && !['_id', '_model', '_title', '_status', '_space'].includes(luid)) return undefined;
  const operators = isTime ? TIME : luid === '_title' ? TEXT : CHOICE;
  return {
    operators,
    operands: [luid === '_id' ? 'number' : 'string'],
    check(operator, operand) {
      const test = createTest(operator, operand, (value) => String(value ?? ''));
      return (item) => test(item[luid]);
    },
  };
}

/** The operand must be valid. */
function createTest(operator: Operator, operand: unknown, plain: (value: unknown) => string): Test {
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
