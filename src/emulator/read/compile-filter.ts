import { SYSTEM_PROPERTIES } from '../../contract/content.ts';
import type { Operator } from '../../contract/parameters.ts';
import type { FieldBase, FieldsBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import type { Assumptions } from '../assumptions.ts';
import type { Inside, Values } from '../fields/field-behaviour.ts';
import { searchTextsOf } from '../fields/group-values.ts';
import { behaviourOf } from '../fields/index.ts';
import { keywords } from '../fields/operator-conditions.ts';
import { badRequest, HttpError } from '../http/http-error.ts';
import { dataInLanguage, dataInView, type Item, type View } from '../state/item.ts';
import { getOwn } from '../state/own-property.ts';
import type { State } from '../state/state.ts';
import { getSystemProperty } from './system-properties.ts';

/** A compiled condition on an item and its data in the view. */
export type Test = (data: Values, item: Item) => boolean;

/** A test, or why there is none: no such field, or one that does not accept the operator or operand. */
type Compiled = Test | 'unknown-field' | 'not-applicable';

/** §4.1 has paths to a field, and to a field of a group or reference, but no longer ones. */
const MAX_PATH_LENGTH = 2;

/** What compiling a condition needs. */
export interface FilterContext {
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
  { path, operator, operand }: RawCondition,
  models: readonly string[],
  context: FilterContext,
): Condition | undefined {
  const segments = path.split('.');
  const compiler = new ConditionCompiler(context, segments, operator, operand);
  const compiled = modelsOrNone(models).map((model) => [model, compiler.compile(model, 0)] as const);
  const tests = new Map(compiled.filter((entry): entry is [string, Test] => typeof entry[1] === 'function'));
  if (tests.size > 0) {
    return {
      test: (data, item) => tests.get(item.model)?.(data, item) ?? false,
      dependencies: compiler.dependencies,
    };
  }
  const exists = compiled.some(([, result]) => result === 'not-applicable');
  if (exists || context.assumptions.unknownField === 'error') throw badRequest();
  return undefined;
}

/** Whether a path names a field of one of the models. */
export function isField(path: string, models: readonly string[], context: FilterContext): boolean {
  const segments = path.split('.');
  const compiler = new ConditionCompiler(context, segments, 'eq', '');
  return modelsOrNone(models).some((model) => compiler.compile(model, 0) !== 'unknown-field');
}

/** Without a known model, conditions on system properties are still valid. */
function modelsOrNone(models: readonly string[]): readonly string[] {
  return models.length > 0 ? models : [''];
}

/** §4.1: compiles `contains`: every keyword occurs in some text field of the item. */
export function compileContains(operand: string, { state }: FilterContext): Condition {
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
  let texts = searchTextCache.get(data);
  if (!texts) {
    texts = searchTextsOf(fields, data).map((text) => text.toLowerCase());
    searchTextCache.set(data, texts);
  }
  return texts;
}

class ConditionCompiler {
  readonly dependencies = new Set<string>();
  readonly #context: FilterContext;
  readonly #segments: readonly string[];
  readonly #operator: Operator;
  readonly #operand: string;

  constructor(context: FilterContext, segments: readonly string[], operator: Operator, operand: string) {
    this.#context = context;
    this.#segments = segments;
    this.#operator = operator;
    this.#operand = operand;
  }

  /** Compiles the path from segment `at` on, for content of a model. */
  compile(model: string, at: number): Compiled {
    if (this.#segments.length > MAX_PATH_LENGTH) return 'unknown-field';
    const luid = this.#segments[at] ?? '';
    if ((SYSTEM_PROPERTIES as readonly string[]).includes(luid)) return this.#system(luid, at);
    const fields = this.#context.state.fields(model) ?? {};
    return this.#group(fields, at, { inRepeat: false, atContent: true });
  }

  #system(property: string, at: number): Compiled {
    if (at < this.#segments.length - 1) return 'unknown-field';
    const { value, operators, test } = getSystemProperty(property);
    if (!operators.includes(this.#operator)) return 'not-applicable';
    const { view, state } = this.#context;
    const testValue = this.#parseOperand(test);
    return testValue ? (_data, item) => testValue(value(item, view, state)) : 'not-applicable';
  }

  #group(fields: FieldsBase, at: number, where: { inRepeat: boolean; atContent: boolean }): Compiled {
    const luid = this.#segments[at] ?? '';
    const field = getOwn(fields, luid);
    if (!field) return 'unknown-field';
    const read = this.#reader(luid, where.atContent);
    if (at === this.#segments.length - 1) return this.#last(field, read, where.inRepeat);
    const inside = behaviourOf(field).inside?.(field);
    return inside ? this.#inside(inside, read, at + 1) : 'unknown-field';
  }

  #last(field: FieldBase, read: Reader, inRepeat: boolean): Compiled {
    const { test, inside } = behaviourOf(field);
    if (!test || !fieldTypeOf(field).operators.includes(this.#operator)) return 'not-applicable';
    // §4.1: only [eq] is supported in a repeat.
    if (inRepeat && this.#operator !== 'eq') return 'not-applicable';
    const testValue = this.#parseOperand(test);
    if (!testValue) return 'not-applicable';
    if (inside?.(field).via !== 'content') return (data, item) => testValue(read(data, item));
    // A reference can contain the id of any content, whatever models the field declares.
    this.#addDependencies();
    return (data, item) => testValue(this.#visibleId(read(data, item)));
  }

  #inside(inside: Inside, read: Reader, at: number): Compiled {
    if (inside.via === 'set') {
      const inner = this.#group(inside.fields, at, { inRepeat: false, atContent: false });
      if (typeof inner === 'string') return inner;
      return (data, item) => inner((read(data, item) as Values | undefined) ?? NO_VALUES, item);
    }
    if (inside.via === 'entries') {
      const inner = this.#group(inside.fields, at, { inRepeat: true, atContent: false });
      if (typeof inner === 'string') return inner;
      return (data, item) =>
        ((read(data, item) as Values[] | undefined) ?? []).some((entry) => inner(entry, item));
    }
    return inside.via === 'content' ? this.#reference(inside.models, read, at) : 'unknown-field';
  }

  /** Compiles a field of referenced content, for each model that has it. */
  #reference(models: readonly string[] | undefined, read: Reader, at: number): Compiled {
    const { state, view } = this.#context;
    const compiled = this.#addDependencies(models).map((model) => [model, this.compile(model, at)] as const);
    const tests = new Map(
      compiled.filter((entry): entry is [string, Test] => typeof entry[1] === 'function'),
    );
    if (tests.size === 0)
      return compiled.some(([, result]) => result === 'not-applicable') ? 'not-applicable' : 'unknown-field';
    return testTargets(state, read, (id) => {
      const target = state.findVisible(id, view);
      const data = target && dataInView(target, view);
      return target && data ? (tests.get(target.model)?.(data, target) ?? false) : false;
    });
  }

  /** Records that the condition depends on content of these models. */
  #addDependencies(models = Object.keys(this.#context.state.models) as readonly string[]): readonly string[] {
    for (const model of models) this.dependencies.add(model);
    return models;
  }

  /** The id of a reference as it is returned: none if the target is not visible. */
  #visibleId(id: unknown): unknown {
    const { state, view, assumptions } = this.#context;
    const target =
      state.findVisible(id, view) ??
      (assumptions.unseenTarget === 'id' ? state.findForAnyKey(id) : undefined);
    return target?.id;
  }

  #reader(luid: string, atContent: boolean): Reader {
    const { view, assumptions } = this.#context;
    if (!atContent || !assumptions.defectUntranslatedFilter || view.lang === view.main) {
      return (data) => getOwn(data, luid);
    }
    return (data, item) => getOwn(data, luid) ?? getOwn(dataInLanguage(item, view.reads, view.main), luid);
  }

  #parseOperand<T>(test: (operator: Operator, operand: string) => T): T | undefined {
    try {
      return test(this.#operator, this.#operand);
    } catch (error) {
      if (error instanceof HttpError) return undefined;
      throw error;
    }
  }
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
    let result = results.get(id);
    if (result === undefined) {
      result = testTarget(id);
      results.set(id, result);
    }
    return result;
  };
}

type Reader = (data: Values, item: Item) => unknown;
const NO_VALUES: Values = {};
