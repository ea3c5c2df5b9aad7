import { LuidConfigError } from '../../errors.ts';
import { checkModels } from '../../models/check.ts';
import { type FieldsBase, isRecord } from '../../models/field-types/field-type.ts';
import type { ModelMap } from '../../models/types.ts';
import { setOwn } from '../../models/walk.ts';
import type { Values } from '../fields/field-behaviour.ts';
import { parseGroup, serializeGroup } from '../fields/group-values.ts';
import type { Item, LangData } from '../state/item.ts';
import { own } from '../state/own.ts';
import type { Workbench } from './control-contents.ts';

/** What administrators do to models, without requests. */
export class ModelsControl {
  readonly #bench: Workbench;

  constructor(bench: Workbench) {
    this.#bench = bench;
  }

  get(): ModelMap {
    return structuredClone(this.#bench.state.models);
  }

  /** Replaces all models. Content keeps what still fits; content of a model that is gone is not shown. */
  set(models: ModelMap): void {
    this.#set(models, (_model, values) => values);
  }

  /** Gives a field of a model another LUID; content keeps its values. */
  renameField(model: string, from: string, to: string): void {
    const models = this.get();
    const fields = own(models, model);
    if (!fields || !own(fields, from)) this.#noField(model, from);
    const rename = (values: Values): Record<string, unknown> => {
      const renamed: Record<string, unknown> = {};
      for (const [luid, value] of Object.entries(values)) setOwn(renamed, luid === from ? to : luid, value);
      return renamed;
    };
    setOwn(models as Record<string, unknown>, model, rename(fields as Values));
    this.#set(models, (name, values) => (name === model ? rename(values) : values));
  }

  /** Replaces the options of a select or multi select: `category`, or `seo.robots` inside a group. */
  setOptions(model: string, fieldPath: string, options: readonly string[]): void {
    const models = this.get();
    let group: unknown = own(models, model);
    let field: Record<string, unknown> | undefined;
    for (const luid of fieldPath.split('.')) {
      const next: unknown = isRecord(group) ? own(group, luid) : undefined;
      if (!isRecord(next)) this.#noField(model, fieldPath);
      field = next as Record<string, unknown>;
      // Behind a combination the path names a set, and that is a group of fields itself.
      group = field.fields ?? field.sets ?? field;
    }
    if (field) field.options = [...options];
    this.set(models);
  }

  #set(models: ModelMap, prepare: (model: string, values: Values) => Values): void {
    checkModels(models);
    const { state, changed } = this.#bench;
    const old = state.models;
    const fresh = structuredClone(models);
    state.setModels(fresh, (item) => {
      const from = own(old, item.model);
      const to = own(fresh, item.model);
      if (!from || !to) return item;
      const convert = (values: Values) =>
        this.#fitting(to, prepare(item.model, serializeGroup(from, values)));
      return convertItem(item, convert);
    });
    changed();
  }

  /** The fields that the new model still has, with values that it still takes. */
  #fitting(fields: FieldsBase, values: Values): Values {
    const kept: Record<string, unknown> = {};
    for (const [luid, value] of Object.entries(values)) {
      const group: Record<string, unknown> = {};
      setOwn(group, luid, value);
      try {
        const taken = parseGroup(fields, group, '', { refuse: unfit, time: (time) => time });
        setOwn(kept, luid, own(taken, luid));
      } catch (error) {
        if (!(error instanceof Unfit)) throw error;
      }
    }
    return kept;
  }

  #noField(model: string, path: string): never {
    throw new LuidConfigError(`There is no field ${path} in the model ${model}`, { model, field: path });
  }
}

class Unfit extends Error {}

function unfit(): never {
  throw new Unfit();
}

function convertItem(item: Item, convert: (values: Values) => Values): Item {
  const all = (data: LangData | undefined) =>
    data && Object.fromEntries(Object.entries(data).map(([lang, values]) => [lang, convert(values)]));
  return { ...item, published: all(item.published), draft: all(item.draft) };
}
