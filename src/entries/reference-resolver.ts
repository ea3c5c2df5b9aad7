import type * as z from 'zod';
import type { WireContent } from '../contract/content.ts';
import { type ReferenceField, targetsOf } from '../models/field-types/reference.ts';
import { fieldsOf } from '../models/fields-of.ts';
import { createQuickParse, type QuickParse } from '../models/quick-parse.ts';
import type { ModelMap } from '../models/types.ts';
import { type Found, mapAllReferences, mapReferences, visitReferences } from '../models/walk.ts';
import { isExisting } from './existing-references.ts';
import { dropProperties, keepProperties, type NameSet } from './kept-properties.ts';
import type { LanguageItems } from './language-items.ts';
import type { InvalidItem, Issue } from './problems/invalid-item.ts';

/** The item as its model's schema parsed it, or what the schema rejected. */
export type Parsed = { readonly data: WireContent } | { readonly issues: readonly Issue[] };

/** An item with its references resolved. */
export interface ResolvedItem {
  readonly data: WireContent;
  /** How many items it embeds, counted each time: Astro walks entries as trees. */
  readonly embedded: number;
  /** The path of the reference that embeds the most; `undefined` if none does. */
  readonly largest: string | undefined;
}

export interface Resolver {
  /**
   * The item's data, with references resolved to content up to `depth` and as ids below it; or why it cannot be shown:
   * it does not match its model, or content that it embeds does not. With `shown`, only these properties of the item;
   * the others are checked, but content that they refer to is not. Embedded items are whole.
   */
  resolve(item: WireContent, depth: number, shown?: NameSet): ResolvedItem | InvalidItem;
  /** Equal for equal data at that depth: of the item and everything that it embeds. Not hashed. */
  fingerprint(item: WireContent, depth: number, shown?: NameSet): string;
  /** The same, hashed: for an item that several entries contain. */
  fingerprintHash(item: WireContent, depth: number): string;
}

/** What happens to content that does not match its model. */
export type OnInvalid = 'fail' | 'skip';

export interface ResolverOptions {
  readonly models: ModelMap;
  readonly languageItems: LanguageItems;
  /** The schema of a model's flat items. */
  readonly schema: (model: string) => z.ZodType;
  /** Whether that removes undeclared properties. */
  readonly strict?: boolean | undefined;
  readonly hash: (text: string) => string;
  /** `'skip'`: a reference to invalid content is empty, unless it is required. */
  readonly onInvalid: OnInvalid;
  /** Equal for equal items. Default: their JSON. */
  readonly hashItem?: (item: WireContent) => string | number;
  /** Adds to an item what the service did not send, such as image dimensions. */
  readonly prepare?: ((item: WireContent) => WireContent) | undefined;
  /** Runs before `prepare`, and only for changed items: its result depends on the item alone, so fingerprints skip it. */
  readonly sanitize?: ((item: WireContent) => WireContent) | undefined;
}

/**
 * Resolves references by depth alone, as the service does. An item is parsed once, and resolved once per
 * depth, whether it is valid or not; all entries that embed it share the result. A missing target is `null`, below
 * `depth` too.
 */
export function createResolver(options: ResolverOptions): Resolver {
  const {
    models,
    languageItems,
    schema,
    strict,
    hash,
    hashItem = JSON.stringify,
    prepare,
    sanitize,
  } = options;
  const emptiesInvalid = options.onInvalid === 'skip';
  const prepared = new Map<number, WireContent>();
  const schemas = new Map<string, z.ZodType>();
  const quickParsers = new Map<string, QuickParse>();
  const parsed = new Map<number, Parsed>();
  const resolvedItems = new Map<number, Map<number, ResolvedItem | InvalidItem>>();
  const hashes = new Map<number, Map<number, string>>();

  function prepareOnce(item: WireContent): WireContent {
    if (!prepare) return item;
    const ready = prepared.get(item._id) ?? prepare(item);
    prepared.set(item._id, ready);
    return ready;
  }

  function schemaOf(model: string): z.ZodType {
    const known = schemas.get(model) ?? schema(model);
    schemas.set(model, known);
    return known;
  }

  function quickParserOf(model: string): QuickParse {
    const known = quickParsers.get(model);
    if (known) return known;
    const fresh = createQuickParse(model, fieldsOf(models, model), { strict, schema: () => schemaOf(model) });
    quickParsers.set(model, fresh);
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
    const data = quickParserOf(item._model)(item);
    if (data) return { data };
    const result = schemaOf(item._model).safeParse(item);
    return result.success
      ? { data: result.data as WireContent }
      : { issues: result.error.issues.map(({ path, message }) => ({ path, message })) };
  }

  /** The content, `null` if it is missing, or the id if it is of an undeclared model. */
  function findTarget(field: ReferenceField, id: number): WireContent | null | number {
    return languageItems.get(id) ?? (isExisting(field, id, languageItems) ? id : null);
  }

  function resolve(item: WireContent, depth: number, shown?: NameSet): ResolvedItem | InvalidItem {
    if (shown) return resolveFresh(item, depth, shown);
    const all = atDepth(resolvedItems, depth);
    const known = all.get(item._id) ?? resolveFresh(item, depth);
    all.set(item._id, known);
    return known;
  }

  function resolveFresh(item: WireContent, depth: number, shown?: NameSet): ResolvedItem | InvalidItem {
    const result = parse(item);
    if ('issues' in result) return { data: item, issues: result.issues, because: [] };
    const issues: Issue[] = [];
    const because: InvalidItem[] = [];
    let embedded = 0;
    let largest: { readonly path: string; readonly embedded: number } | undefined;

    const resolveReference = ({ field, value, path }: Found<ReferenceField>, depth: number): unknown => {
      if (typeof value !== 'number') return value;
      const found = findTarget(field, value);
      if (found === null && field.required) issues.push({ path: [path], message: TARGET_MISSING });
      if (found === null || typeof found === 'number') return found;
      const targets = targetsOf(field);
      if (targets && !targets.includes(found._model)) {
        const message = `expected content of ${targets.join(' or ')}, found content ${found._id} of ${found._model}: add that model to the reference`;
        issues.push({ path: [path], message });
      }
      if (depth === 0) return value;
      const target = resolve(found, depth - 1);
      if ('issues' in target) {
        if (!emptiesInvalid || field.required) because.push(target);
        return null;
      }
      embedded += 1 + target.embedded;
      if (target.embedded >= (largest?.embedded ?? 0)) largest = { path, embedded: target.embedded };
      return target.data;
    };

    const fields = fieldsOf(models, item._model);
    if (shown)
      visitReferences(fields, dropProperties(result.data, shown), (found) => resolveReference(found, 0));
    const data = mapReferences(fields, keepProperties(result.data, shown), (found) =>
      resolveReference(found, depth),
    );
    if (issues.length > 0 || because.length > 0) return { data: item, issues, because };
    return { data, embedded, largest: largest?.path };
  }

  function fingerprint(item: WireContent, depth: number, shown?: NameSet): string {
    const embedded: string[] = [];
    const fields = fieldsOf(models, item._model);
    const visible = mapAllReferences(fields, keepProperties(prepareOnce(item), shown), ({ field, value }) => {
      // Empty in any form: the target is missing, or the item was read again since, without a value or with `null`.
      if (value === null) return undefined;
      if (typeof value !== 'number') return value;
      const found = findTarget(field, value);
      if (found === null) return undefined;
      if (typeof found === 'number') return found;
      if (depth > 0 && emptiesInvalid && 'issues' in resolve(found, depth - 1)) return undefined;
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
