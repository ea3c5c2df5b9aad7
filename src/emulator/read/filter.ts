import { SYSTEM_PROPERTIES } from '../../contract/content.ts';
import type { Operator } from '../../contract/parameters.ts';
import type { FieldBase, FieldsBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import type { Assumptions } from '../assumptions.ts';
import type { Inside, Values } from '../fields/field-behaviour.ts';
import { searchTextsOf } from '../fields/group-values.ts';
import { behaviourOf } from '../fields/index.ts';
import { keywords } from '../fields/operator-conditions.ts';
import { badRequest, Refusal } from '../http/refusal.ts';
import { dataIn, type Item, shownData, type View } from '../state/item.ts';
import { own } from '../state/own.ts';
import type { State } from '../state/state.ts';
import { systemProperty } from './system.ts';

/** A condition on an item, by the data it is judged by. */
export type Test = (data: Values, item: Item) => boolean;

/** Why there is no test: no such field, or one that does not take this operator or operand. */
type Verdict = Test | 'absent' | 'refused';

/** §4.1 shows paths of a group or reference and a field in it, no longer ones. */
const LONGEST_PATH = 2;

/** What conditions are compiled for. */
export interface Ground {
  readonly state: State;
  readonly view: View;
  readonly assumptions: Assumptions;
}

/** One condition `path[operator]=operand`, for the models that the list asks for. */
export interface Condition {
  readonly test: Test;
  /** The models of other items that it looks at, through references. */
  readonly others: ReadonlySet<string>;
}

export interface RawCondition {
  readonly path: string;
  readonly operator: Operator;
  readonly operand: string;
}

/** `undefined`: the field is not there, and assumed not to matter. */
export function compileCondition(
  { path, operator, operand }: RawCondition,
  models: readonly string[],
  ground: Ground,
): Condition | undefined {
  const segments = path.split('.');
  const compiler = new Compiler(ground, segments, operator, operand);
  const verdicts = orNone(models).map((model) => [model, compiler.content(model, 0)] as const);
  const tests = new Map(verdicts.filter((entry): entry is [string, Test] => typeof entry[1] === 'function'));
  if (tests.size > 0) {
    return { test: (data, item) => tests.get(item.model)?.(data, item) ?? false, others: compiler.others };
  }
  const refused = verdicts.some(([, verdict]) => verdict === 'refused');
  if (refused || ground.assumptions.unknownField === 'error') throw badRequest();
  return undefined;
}

/** Whether a path names a field of one of the models, whatever may be asked of it. */
export function isField(path: string, models: readonly string[], ground: Ground): boolean {
  const segments = path.split('.');
  const compiler = new Compiler(ground, segments, 'eq', '');
  return orNone(models).some((model) => compiler.content(model, 0) !== 'absent');
}

/** Where no model is asked for that exists, content of none still has system properties. */
function orNone(models: readonly string[]): readonly string[] {
  return models.length > 0 ? models : [''];
}

/** §4.1, `contains`: every keyword occurs in some text of the item. */
export function compileContains(operand: string, { state }: Ground): Condition {
  const words = keywords(operand);
  return {
    others: new Set(),
    test: (data, item) => {
      const texts = searchTexts(data, state.fields(item.model) ?? {});
      return words.every((word) => texts.some((text) => text.includes(word)));
    },
  };
}

const searched = new WeakMap<Values, readonly string[]>();

function searchTexts(data: Values, fields: FieldsBase): readonly string[] {
  let texts = searched.get(data);
  if (!texts) {
    texts = searchTextsOf(fields, data).map((text) => text.toLowerCase());
    searched.set(data, texts);
  }
  return texts;
}

class Compiler {
  readonly others = new Set<string>();
  readonly #ground: Ground;
  readonly #segments: readonly string[];
  readonly #operator: Operator;
  readonly #operand: string;

  constructor(ground: Ground, segments: readonly string[], operator: Operator, operand: string) {
    this.#ground = ground;
    this.#segments = segments;
    this.#operator = operator;
    this.#operand = operand;
  }

  /** The path from segment `at` on, as seen from content of a model. */
  content(model: string, at: number): Verdict {
    if (this.#segments.length > LONGEST_PATH) return 'absent';
    const luid = this.#segments[at] ?? '';
    if ((SYSTEM_PROPERTIES as readonly string[]).includes(luid)) return this.#system(luid, at);
    const fields = this.#ground.state.fields(model) ?? {};
    return this.#group(fields, at, { inRepeat: false, atContent: true });
  }

  #system(property: string, at: number): Verdict {
    if (at < this.#segments.length - 1) return 'absent';
    const { value, operators, test } = systemProperty(property);
    if (!operators.includes(this.#operator)) return 'refused';
    const { view, state } = this.#ground;
    const holds = this.#operandOf(test);
    return holds ? (_data, item) => holds(value(item, view, state)) : 'refused';
  }

  #group(fields: FieldsBase, at: number, where: { inRepeat: boolean; atContent: boolean }): Verdict {
    const luid = this.#segments[at] ?? '';
    const field = own(fields, luid);
    if (!field) return 'absent';
    const read = this.#reader(luid, where.atContent);
    if (at === this.#segments.length - 1) return this.#last(field, read, where.inRepeat);
    const inside = behaviourOf(field).inside?.(field);
    return inside ? this.#into(inside, read, at + 1) : 'absent';
  }

  #last(field: FieldBase, read: Reader, inRepeat: boolean): Verdict {
    const { test, inside } = behaviourOf(field);
    if (!test || !fieldTypeOf(field).operators.includes(this.#operator)) return 'refused';
    // §4.1: only [eq] is supported in a repeat.
    if (inRepeat && this.#operator !== 'eq') return 'refused';
    const holds = this.#operandOf(test);
    if (!holds) return 'refused';
    if (inside?.(field).via !== 'content') return (data, item) => holds(read(data, item));
    // An id may lead to any content, whatever models the field names.
    this.#lookAt();
    return (data, item) => holds(this.#seen(read(data, item)));
  }

  #into(inside: Inside, read: Reader, at: number): Verdict {
    if (inside.via === 'set') {
      const inner = this.#group(inside.fields, at, { inRepeat: false, atContent: false });
      if (typeof inner === 'string') return inner;
      return (data, item) => inner((read(data, item) as Values | undefined) ?? NOTHING, item);
    }
    if (inside.via === 'entries') {
      const inner = this.#group(inside.fields, at, { inRepeat: true, atContent: false });
      if (typeof inner === 'string') return inner;
      return (data, item) =>
        ((read(data, item) as Values[] | undefined) ?? []).some((entry) => inner(entry, item));
    }
    return inside.via === 'content' ? this.#through(inside.models, read, at) : 'absent';
  }

  /** Into referenced content: each of its possible models may have the field or not. */
  #through(models: readonly string[] | undefined, read: Reader, at: number): Verdict {
    const { state, view } = this.#ground;
    const verdicts = this.#lookAt(models).map((model) => [model, this.content(model, at)] as const);
    const tests = new Map(
      verdicts.filter((entry): entry is [string, Test] => typeof entry[1] === 'function'),
    );
    if (tests.size === 0) return verdicts.some(([, verdict]) => verdict === 'refused') ? 'refused' : 'absent';
    return perTarget(state, read, (id) => {
      const target = state.find(id, view);
      const shown = target && shownData(target, view);
      return target && shown ? (tests.get(target.model)?.(shown, target) ?? false) : false;
    });
  }

  /** Notes that the verdict depends on content of these models. */
  #lookAt(models = Object.keys(this.#ground.state.models) as readonly string[]): readonly string[] {
    for (const model of models) this.others.add(model);
    return models;
  }

  /** The id that a reference shows: none, if what it leads to does not exist for this key. */
  #seen(id: unknown): unknown {
    const { state, view, assumptions } = this.#ground;
    const seen = state.find(id, view) ?? (assumptions.unseenTarget === 'id' ? state.hidden(id) : undefined);
    return seen?.id;
  }

  #reader(luid: string, atContent: boolean): Reader {
    const { view, assumptions } = this.#ground;
    if (!atContent || !assumptions.defectUntranslatedFilter || view.lang === view.main) {
      return (data) => own(data, luid);
    }
    return (data, item) => own(data, luid) ?? own(dataIn(item, view.reads, view.main), luid);
  }

  #operandOf<T>(test: (operator: Operator, operand: string) => T): T | undefined {
    try {
      return test(this.#operator, this.#operand);
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }
}

/** Judges each target once for as long as nothing changes: many items refer to few. */
function perTarget(state: State, read: Reader, judge: (id: unknown) => boolean): Test {
  const judged = new Map<unknown, boolean>();
  let version = state.version;
  return (data, item) => {
    if (version !== state.version) {
      version = state.version;
      judged.clear();
    }
    const id = read(data, item);
    let verdict = judged.get(id);
    if (verdict === undefined) {
      verdict = judge(id);
      judged.set(id, verdict);
    }
    return verdict;
  };
}

type Reader = (data: Values, item: Item) => unknown;
const NOTHING: Values = {};
