import type * as z from 'zod';
import type { WireContent } from '../contract/content.ts';
import { type ReferenceField, targetsOf } from '../models/field-types/reference.ts';
import { fieldsOf } from '../models/fields-of.ts';
import { createQuickParse, type QuickParse } from '../models/quick-parse.ts';
import type { ModelMap } from '../models/types.ts';
import { type Found, mapReferences, visitReferences } from '../models/walk.ts';
import { dropProperties, keepProperties, type NameSet } from './kept-properties.ts';
import type { LanguageItems } from './language-items.ts';
import type { Issue } from './problems/content-errors.ts';

/** The item as its model's schema parsed it, or what the schema rejected. */
export type Parsed = { readonly data: WireContent } | { readonly issues: readonly Issue[] };

/** Called for each item that does not match its model: the entry's own, or one that it embeds. */
export type OnInvalid = (item: WireContent, issues: readonly Issue[]) => void;

export interface Resolver {
  /**
   * The item's data, with references resolved to content up to `depth` and as ids below it. With `shown`, only these
   * properties of the item; the others are checked, but content that they refer to is not. Embedded items are whole.
   */
  resolve(item: WireContent, depth: number, onInvalid: OnInvalid, shown?: NameSet): unknown;
  /** Equal for equal data at that depth: of the item and everything that it embeds. Not hashed. */
  fingerprint(item: WireContent, depth: number, shown?: NameSet): string;
  /** The same, hashed: for an item that several entries contain. */
  fingerprintHash(item: WireContent, depth: number): string;
}

export interface ResolverOptions {
  readonly models: ModelMap;
  readonly languageItems: LanguageItems;
  /** The schema of a model's flat items. */
  readonly schema: (model: string) => z.ZodType;
  readonly hash: (text: string) => string;
  /** Equal for equal items. Default: their JSON. */
  readonly hashItem?: (item: WireContent) => string | number;
  /** Adds to an item what the service did not send, such as image dimensions. */
  readonly prepare?: ((item: WireContent) => WireContent) | undefined;
  /** Runs before `prepare`, and only for changed items: its result depends on the item alone, so fingerprints skip it. */
  readonly sanitize?: ((item: WireContent) => WireContent) | undefined;
}

/**
 * Resolves references by depth alone, as the service does. An item is parsed once, and resolved once per
 * depth; all entries that embed it share the result. A missing target is `null`, below `depth` too.
 */
export function createResolver(options: ResolverOptions): Resolver {
  const { models, languageItems, schema, hash, hashItem = JSON.stringify, prepare, sanitize } = options;
  const prepared = new Map<number, WireContent>();
  const schemas = new Map<string, { readonly schema: z.ZodType; readonly quickParse: QuickParse }>();
  const parsed = new Map<number, Parsed>();
  const resolvedItems = new Map<number, Map<number, unknown>>();
  const hashes = new Map<number, Map<number, string>>();

  function prepareOnce(item: WireContent): WireContent {
    if (!prepare) return item;
    const ready = prepared.get(item._id) ?? prepare(item);
    prepared.set(item._id, ready);
    return ready;
  }

  function schemaOf(model: string) {
    const known = schemas.get(model);
    if (known) return known;
    const own = schema(model);
    const fresh = { schema: own, quickParse: createQuickParse(model, fieldsOf(models, model), own) };
    schemas.set(model, fresh);
    return fresh;
  }

  function parse(item: WireContent): Parsed {
    const known = parsed.get(item._id);
    if (known) return known;
    const fresh = parsePrepared(sanitize ? prepareSanitized(sanitize(item)) : prepareOnce(item));
    parsed.set(item._id, fresh);
    return fresh;
  }

  function prepareSanitized(item: WireContent): WireContent {
    return prepare ? prepare(item) : item;
  }

  function parsePrepared(item: WireContent): Parsed {
    const { schema: own, quickParse } = schemaOf(item._model);
    const data = quickParse(item);
    if (data) return { data };
    const result = own.safeParse(item);
    return result.success
      ? { data: result.data as WireContent }
      : { issues: result.error.issues.map(({ path, message }) => ({ path, message })) };
  }

  /** The content, `null` if it is missing, or the id if it is of an undeclared model. */
  function findTarget(field: ReferenceField, id: number): WireContent | null | number {
    const found = languageItems.get(id);
    if (found) return found;
    return !targetsOf(field) && languageItems.isUndeclared(id) ? id : null;
  }

  function resolve(item: WireContent, depth: number, onInvalid: OnInvalid, shown?: NameSet): unknown {
    const known = atDepth(resolvedItems, depth);
    if (!shown && known.has(item._id)) return known.get(item._id);
    const result = parse(item);
    if ('issues' in result) {
      onInvalid(item, result.issues);
      return null;
    }
    let isValid = true;
    const reportInvalid: OnInvalid = (...details) => {
      isValid = false;
      onInvalid(...details);
    };
    const resolveReference = ({ field, value, path }: Found<ReferenceField>, depth: number): unknown => {
      if (typeof value !== 'number') return value;
      const found = findTarget(field, value);
      if (found === null && field.required) reportInvalid(item, [{ path: [path], message: TARGET_MISSING }]);
      if (found === null || typeof found === 'number') return found;
      const targets = targetsOf(field);
      if (targets && !targets.includes(found._model)) {
        const message = `expected content of ${targets.join(' or ')}, found content ${found._id} of ${found._model}: add that model to the reference`;
        reportInvalid(item, [{ path: [path], message }]);
      }
      return depth === 0 ? value : resolve(found, depth - 1, reportInvalid);
    };
    const fields = fieldsOf(models, item._model);
    if (shown)
      visitReferences(fields, dropProperties(result.data, shown), (found) => resolveReference(found, 0));
    const data = mapReferences(fields, keepProperties(result.data, shown), (found) =>
      resolveReference(found, depth),
    );
    if (isValid && !shown) known.set(item._id, data);
    return data;
  }

  function fingerprint(item: WireContent, depth: number, shown?: NameSet): string {
    const embedded: string[] = [];
    const fields = fieldsOf(models, item._model);
    const visible = mapReferences(fields, keepProperties(prepareOnce(item), shown), ({ field, value }) => {
      if (typeof value !== 'number') return value;
      const found = findTarget(field, value);
      // A missing target is empty, whether or not the item was read again since.
      if (found === null || typeof found === 'number') return found;
      embedded.push(depth === 0 ? found._model : fingerprintHash(found, depth - 1));
      return value;
    });
    return [hashItem(visible), ...embedded].join(' ');
  }

  function fingerprintHash(item: WireContent, depth: number): string {
    const all = atDepth(hashes, depth);
    const known = all.get(item._id) ?? hash(fingerprint(item, depth));
    all.set(item._id, known);
    return known;
  }

  return { resolve, fingerprint, fingerprintHash };
}

function atDepth<T>(all: Map<number, Map<number, T>>, depth: number): Map<number, T> {
  const known = all.get(depth) ?? new Map<number, T>();
  all.set(depth, known);
  return known;
}

const TARGET_MISSING =
  'required, but the referenced content is deleted, in another sub-space, or its model is not declared: choose other content, declare the model, or remove `required` from the field';
