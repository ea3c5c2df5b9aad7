import type * as z from 'zod';
import type { WireContent } from '../contract/content.ts';
import { type ReferenceField, targetsOf } from '../models/field-types/reference.ts';
import { fieldsOf } from '../models/fields-of.ts';
import type { ModelMap } from '../models/types.ts';
import { mapReferences, visitReferences } from '../models/walk.ts';
import type { Corpus } from './corpus.ts';
import type { Issue } from './findings/report.ts';

/** Data of an item that fits its model, or what is wrong with it. */
export type Parsed = { readonly data: WireContent } | { readonly issues: readonly Issue[] };

/** Told of an item somewhere in what an entry shows that does not fit its model. */
export type OnInvalid = (item: WireContent, issues: readonly Issue[]) => void;

export interface Linker {
  /** The item's data with references as content to `depth`, ids past it. */
  link(item: WireContent, depth: number, onInvalid: OnInvalid): unknown;
  /** Equal for equal data at that depth: of the item and everything that it embeds. As long as the item. */
  signature(item: WireContent, depth: number): string;
}

export interface LinkerOptions {
  readonly models: ModelMap;
  readonly corpus: Corpus;
  /** The schema of a model's flat items. */
  readonly schema: (model: string) => z.ZodType;
  readonly hash: (text: string) => string;
  /** What is shown of an item, where that is more than what the service sent. */
  readonly prepare?: ((item: WireContent) => WireContent) | undefined;
  /**
   * Comes before `prepare`. It gives the same for the same item, so that the digest need not wait for it:
   * only what changed is cleaned.
   */
  readonly clean?: ((item: WireContent) => WireContent) | undefined;
}

/**
 * Makes data of items, by depth alone, as the service does. An item is parsed once, and linked once for
 * each depth, however many others embed it, and they all share it. A missing target is empty, at the
 * depth's end too.
 */
export function createLinker(options: LinkerOptions): Linker {
  const { models, corpus, schema, hash, prepare = same, clean } = options;
  const prepared = new Map<number, WireContent>();
  const parsed = new Map<number, Parsed>();
  const linked = new Map<string, unknown>();
  const digests = new Map<string, string>();

  function prepareOnce(item: WireContent): WireContent {
    const ready = prepared.get(item._id) ?? prepare(item);
    prepared.set(item._id, ready);
    return ready;
  }

  function parse(item: WireContent): Parsed {
    const known = parsed.get(item._id);
    if (known) return known;
    const result = schema(item._model).safeParse(clean ? prepare(clean(item)) : prepareOnce(item));
    const fresh: Parsed = result.success
      ? { data: result.data as WireContent }
      : { issues: result.error.issues.map(({ path, message }) => ({ path, message })) };
    parsed.set(item._id, fresh);
    return fresh;
  }

  /** What a reference leads to: content, nothing, or the id of content of an undeclared model. */
  function target(field: ReferenceField, id: number): WireContent | null | number {
    const found = corpus.get(id);
    if (found) return found;
    return !targetsOf(field) && corpus.isUndeclared(id) ? id : null;
  }

  function link(item: WireContent, depth: number, onInvalid: OnInvalid): unknown {
    const key = `${depth} ${item._id}`;
    if (linked.has(key)) return linked.get(key);
    const result = parse(item);
    if ('issues' in result) {
      onInvalid(item, result.issues);
      return null;
    }
    let sound = true;
    const invalid: OnInvalid = (...what) => {
      sound = false;
      onInvalid(...what);
    };
    const data = mapReferences(fieldsOf(models, item._model), result.data, ({ field, value, path }) => {
      if (typeof value !== 'number') return value;
      const found = target(field, value);
      if (found === null && field.required) invalid(item, [{ path: [path], message: GONE }]);
      if (found === null || typeof found === 'number') return found;
      const targets = targetsOf(field);
      if (targets && !targets.includes(found._model)) {
        const message = `expected content of ${targets.join(' or ')}, found content ${found._id} of ${found._model}: add that model to the reference`;
        invalid(item, [{ path: [path], message }]);
      }
      return depth === 0 ? value : link(found, depth - 1, invalid);
    });
    if (sound) linked.set(key, data);
    return data;
  }

  function signature(item: WireContent, depth: number): string {
    let text = JSON.stringify(prepareOnce(item));
    visitReferences(fieldsOf(models, item._model), item, ({ value }) => {
      if (typeof value !== 'number') return;
      const found = corpus.get(value);
      if (found) text += ` ${depth === 0 ? found._model : digest(found, depth - 1)}`;
      else text += corpus.isUndeclared(value) ? ' ?' : ' -';
    });
    return text;
  }

  function digest(item: WireContent, depth: number): string {
    const key = `${depth} ${item._id}`;
    const made = digests.get(key) ?? hash(signature(item, depth));
    digests.set(key, made);
    return made;
  }

  return { link, signature };
}

const same = (item: WireContent) => item;

const GONE =
  'required, but what it refers to is gone, or of a model that is not declared: choose another, declare the model, or take `required` off the field';
