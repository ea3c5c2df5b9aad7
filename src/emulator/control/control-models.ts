import { checkModels } from '../../models/check.ts';
import type { ModelMap } from '../../models/types.ts';
import { setOwn } from '../../models/walk.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';
import type { Values } from '../fields/field-behaviour.ts';
import { type ParseOptions, parseGroup, toWriteValues } from '../fields/group-values.ts';
import type { Item, LanguageData } from '../state/item.ts';
import { getOwn } from '../state/own-property.ts';
import type { ControlContext } from './control-context.ts';

/** Changes models as administrators do, without requests. */
export class ModelsControl {
  readonly #context: ControlContext;

  constructor(context: ControlContext) {
    this.#context = context;
  }

  get(): ModelMap {
    return structuredClone(this.#context.state.models);
  }

  /** Replaces all models. Content keeps the values that are still valid; content of a removed model is removed. */
  set(models: ModelMap): void {
    this.#replace(models, (_model, values) => values);
  }

  /** Changes the LUID of a field; content keeps its values. */
  renameField(model: string, from: string, to: string): void {
    const models = this.get();
    const fields = getOwn(models, model);
    if (!fields || !getOwn(fields, from)) this.#throwUnknownField(model, from);
    if (to !== from && fields && getOwn(fields, to)) {
      throw new LuidConfigError(`The model ${model} already has a field ${to}`, {
        model,
        field: to,
        hint: 'Choose another LUID, or remove that field first.',
      });
    }
    const rename = (values: Values) =>
      Object.fromEntries(Object.entries(values).map(([luid, value]) => [luid === from ? to : luid, value]));
    setOwn(models as Record<string, unknown>, model, rename(fields as Values));
    this.#replace(models, (name, values) => (name === model ? rename(values) : values));
  }

  /** Replaces the options of a select or multi select: `category`, or `seo.robots` inside a group. */
  setOptions(model: string, fieldPath: string, options: readonly string[]): void {
    const models = this.get();
    let group: unknown = getOwn(models, model);
    let field: Record<string, unknown> | undefined;
    for (const luid of fieldPath.split('.')) {
      const next: unknown = isRecord(group) ? getOwn(group, luid) : undefined;
      if (!isRecord(next)) this.#throwUnknownField(model, fieldPath);
      field = next as Record<string, unknown>;
      // After a combination the path names a field set, which is a group of fields itself.
      group = field.fields ?? field.sets ?? field;
    }
    if (field) field.options = [...options];
    this.set(models);
  }

  #replace(models: ModelMap, prepare: (model: string, values: Values) => Values): void {
    checkModels(models);
    const { state, onChange } = this.#context;
    const oldModels = state.models;
    const newModels = structuredClone(models);
    state.setModels(newModels, (item) => {
      const from = getOwn(oldModels, item.model) ?? {};
      const to = getOwn(newModels, item.model);
      if (!to) return undefined;
      return convertItem(item, (values) =>
        parseGroup(to, prepare(item.model, toWriteValues(from, values)), '', KEEP_VALID),
      );
    });
    onChange();
  }

  #throwUnknownField(model: string, path: string): never {
    throw new LuidConfigError(`The model ${model} has no field ${path}`, { model, field: path });
  }
}

class InvalidValueError extends Error {}

/** Omits the values that are not valid in the new model. */
const KEEP_VALID: ParseOptions = {
  refuse: () => {
    throw new InvalidValueError();
  },
  time: (time) => time,
  attempt: (parse) => {
    try {
      return parse();
    } catch (error) {
      if (error instanceof InvalidValueError) return undefined;
      throw error;
    }
  },
};

function convertItem(item: Item, convert: (values: Values) => Values): Item {
  const all = (data: LanguageData | undefined) =>
    data && Object.fromEntries(Object.entries(data).map(([lang, values]) => [lang, convert(values)]));
  return { ...item, published: all(item.published), draft: all(item.draft) };
}
