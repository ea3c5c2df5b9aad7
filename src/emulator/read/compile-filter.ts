import { SYSTEM_PROPERTIES } from '../../contract/content.ts';
import type { Operator } from '../../contract/parameters.ts';
import { childGroups } from '../../models/child-groups.ts';
import type { FieldBase, FieldsBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf, isReference } from '../../models/field-types/index.ts';
import { type ReferenceField, targetsOf } from '../../models/field-types/reference.ts';
import type { Assumptions } from '../assumptions.ts';
import type { Values, ValueTest } from '../fields/field-behaviour.ts';
import { searchTextsOf } from '../fields/group-values.ts';
import { behaviourOf } from '../fields/index.ts';
import { keywords } from '../fields/operator-conditions.ts';
import { getOrCreate } from '../get-or-create.ts';
import { badRequest, HttpError } from '../http/http-error.ts';
import { dataInLanguage, dataInView, type Item, type View } from '../state/item.ts';
import { getOwn } from '../state/own-property.ts';
import type { State } from '../state/state.ts';
import { getSystemProperty } from './system-properties.ts';

/** A compiled condition on an item and its data in the view. */
export type Test = (data: Values, item: Item) => boolean;

/** Why there is no test: no such field, or one that does not accept the operator or operand. */
type Failure = 'unknown-field' | 'not-applicable';
type Compiled = Test | Failure;

/** §4.1 has paths to a field, and to a field of a group or reference, but no longer ones. */
const MAX_PATH_LENGTH = 2;

/** What conditions, orders and responses depend on. */
export interface QueryContext {
  readonly state: State;
  readonly view: View;
  readonly assumptions: Assumptions;
}

/** One condition `path[operator]=operand`, compiled for the requested models. */
export interface Condition {
  readonly test: Test;
  /** The models of other items that it depends on, through references. */
  readonly dependencies: ReadonlySet<string>;
}

export interface RawCondition {
  readonly path: string;
  readonly operator: Operator;
  readonly operand: string;
}

/** `undefined`: the field does not exist, and is ignored. */
export function compileCondition(
  condition: RawCondition,
  models: readonly string[],
  context: QueryContext,
): Condition | undefined {
  const compiler = createCompiler(condition, context);
  const tests = compiler.compile(modelsOrNone(models), 0);
  if (typeof tests !== 'string') {
    return {
      test: (data, item) => tests.get(item.model)?.(data, item) ?? false,
      dependencies: compiler.dependencies,
    };
  }
  if (tests === 'not-applicable' || context.assumptions.unknownField === 'error') throw badRequest();
  return undefined;
}

/** Whether a path names a field of one of the models. */
export function isField(path: string, models: readonly string[], context: QueryContext): boolean {
  const compiler = createCompiler({ path, operator: 'eq', operand: '' }, context);
  return compiler.compile(modelsOrNone(models), 0) !== 'unknown-field';
}

/** Without a known model, conditions on system properties are still valid. */
function modelsOrNone(models: readonly string[]): readonly string[] {
  return models.length > 0 ? models : [''];
}

/** §4.1: compiles `contains`: every keyword occurs in some text field of the item. */
export function compileContains(operand: string, { state }: QueryContext): Condition {
  const words = keywords(operand);
  return {
    dependencies: new Set(),
    test: (data, item) => {
      const texts = getSearchTexts(data, state.fields(item.model) ?? {});
      return words.every((word) => texts.some((text) => text.includes(word)));
    },
  };
}

const searchTextCache = new WeakMap<Values, readonly string[]>();

function getSearchTexts(data: Values, fields: FieldsBase): readonly string[] {
  return getOrCreate(searchTextCache, data, () =>
    searchTextsOf(fields, data).map((text) => text.toLowerCase()),
  );
}

function createCompiler({ path, operator, operand }: RawCondition, context: QueryContext) {
  const { state, view, assumptions } = context;
  const segments = path.split('.');
  const dependencies = new Set<string>();

  /** Compiles the path from segment `at` on: a test for each model that has it. */
  function compile(models: readonly string[], at: number): ReadonlyMap<string, Test> | Failure {
    const compiled = models.map((model) => [model, compileFor(model, at)] as const);
    const tests = compiled.filter((entry): entry is [string, Test] => typeof entry[1] === 'function');
    if (tests.length > 0) return new Map(tests);
    return compiled.some(([, result]) => result === 'not-applicable') ? 'not-applicable' : 'unknown-field';
  }

  function compileFor(model: string, at: number): Compiled {
    if (segments.length > MAX_PATH_LENGTH) return 'unknown-field';
    const luid = segments[at] ?? '';
    if ((SYSTEM_PROPERTIES as readonly string[]).includes(luid)) return compileSystem(luid, at);
    return compileField(state.fields(model) ?? {}, at, { inRepeat: false, atContent: true });
  }

  function compileSystem(property: string, at: number): Compiled {
    if (at < segments.length - 1) return 'unknown-field';
    const { value, operators, test } = getSystemProperty(property);
    const testValue = operators.includes(operator) ? parseOperand(test) : undefined;
    return testValue ? (_data, item) => testValue(value(item, view, state)) : 'not-applicable';
  }

  function compileField(
    fields: FieldsBase,
    at: number,
    where: { inRepeat: boolean; atContent: boolean },
  ): Compiled {
    const luid = segments[at] ?? '';
    const field = getOwn(fields, luid);
    if (!field) return 'unknown-field';
    const read = createReader(luid, where.atContent);
    if (at === segments.length - 1) return compileLast(field, read, where.inRepeat);
    return isReference(field) ? compileReference(field, read, at + 1) : compileGroup(field, read, at + 1);
  }

  function compileLast(field: FieldBase, read: Reader, inRepeat: boolean): Compiled {
    const { test } = behaviourOf(field);
    if (!test || !fieldTypeOf(field).operators.includes(operator)) return 'not-applicable';
    // §4.1: only [eq] is supported in a repeat.
    if (inRepeat && operator !== 'eq') return 'not-applicable';
    const testValue = parseOperand(test);
    if (!testValue) return 'not-applicable';
    if (!isReference(field)) return (data, item) => testValue(read(data, item));
    // A reference can contain the id of any content, whatever models the field declares.
    addDependencies();
    return (data, item) => testValue(visibleId(read(data, item)));
  }

  /** Compiles a field of a field set or repeat. */
  function compileGroup(field: FieldBase, read: Reader, at: number): Compiled {
    const { filterInside } = fieldTypeOf(field);
    const [child] = childGroups(field);
    if (!filterInside || !child) return 'unknown-field';
    const inRepeat = filterInside === 'list';
    const inner = compileField(child[1], at, { inRepeat, atContent: false });
    if (typeof inner === 'string') return inner;
    if (!inRepeat) return (data, item) => inner((read(data, item) as Values | undefined) ?? NO_VALUES, item);
    return (data, item) =>
      ((read(data, item) as Values[] | undefined) ?? []).some((entry) => inner(entry, item));
  }

  /** Compiles a field of referenced content. */
  function compileReference(field: ReferenceField, read: Reader, at: number): Compiled {
    const tests = compile(addDependencies(targetsOf(field)), at);
    if (typeof tests === 'string') return tests;
    return testTargets(state, read, (id) => {
      const target = state.findVisible(id, view);
      const data = target && dataInView(target, view);
      return target && data ? (tests.get(target.model)?.(data, target) ?? false) : false;
    });
  }

  /** Records that the condition depends on content of these models. */
  function addDependencies(models: readonly string[] = Object.keys(state.models)): readonly string[] {
    for (const model of models) dependencies.add(model);
    return models;
  }

  /** The id of a reference as it is returned: none if the target is not visible. */
  function visibleId(id: unknown): number | undefined {
    const visible = state.findVisible(id, view);
    return (visible ?? (assumptions.unseenTarget === 'id' ? state.findForAnyKey(id) : undefined))?.id;
  }

  function createReader(luid: string, atContent: boolean): Reader {
    if (!atContent || !assumptions.defectUntranslatedFilter || view.lang === view.main) {
      return (data) => getOwn(data, luid);
    }
    return (data, item) => getOwn(data, luid) ?? getOwn(dataInLanguage(item, view.reads, view.main), luid);
  }

  /** The test of a value; `undefined` for an invalid operand. */
  function parseOperand(test: (operator: Operator, operand: string) => ValueTest): ValueTest | undefined {
    try {
      return test(operator, operand);
    } catch (error) {
      if (error instanceof HttpError) return undefined;
      throw error;
    }
  }

  return { compile, dependencies };
}

/** Tests each target only once until items change: many items refer to the same few. */
function testTargets(state: State, read: Reader, testTarget: (id: unknown) => boolean): Test {
  const results = new Map<unknown, boolean>();
  let version = state.itemVersion;
  return (data, item) => {
    if (version !== state.itemVersion) {
      version = state.itemVersion;
      results.clear();
    }
    const id = read(data, item);
    return getOrCreate(results, id, () => testTarget(id));
  };
}

type Reader = (data: Values, item: Item) => unknown;
const NO_VALUES: Values = {};
