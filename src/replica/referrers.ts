import type { QueryParameters } from '../client/url.ts';
import type { WireContent } from '../contract/content.ts';
import { kindOf } from '../models/kinds/index.ts';
import type { FieldsBase, Values } from '../models/kinds/kind.ts';
import { type ReferenceField, targetsOf } from '../models/kinds/reference.ts';
import type { ModelMap } from '../models/types.ts';
import { chunks } from './heads.ts';

/** How the items of a model that refer to others can be found. */
export interface ReferrerPlan {
  readonly model: string;
  /** Filters that together find them, or `whole` where some cannot be found by any (§4.1). */
  readonly filters: QueryParameters[] | 'whole';
}

/** More filtered lists than this, and reading the model is no more work. */
const MOST_FILTERS = 10;

/**
 * Content that was hidden until now (a draft, or in the archive) was an empty field wherever others
 * refer to it, and none of their times tells that it is so no more. These are to be read again.
 */
export function planReferrers(map: ModelMap, arrived: readonly WireContent[]): ReferrerPlan[] {
  return Object.entries(map).flatMap(([model, fields]) => {
    const filters = filtersFor(fields, arrived);
    if (filters === 'whole') return [{ model, filters }];
    if (filters.length === 0) return [];
    return [{ model, filters: filters.length > MOST_FILTERS ? 'whole' : filters }];
  });
}

/** Whether a group of values holds an empty field in which one of the arrived could stand. */
export function mayLack(fields: FieldsBase, values: Values, arrived: readonly WireContent[]): boolean {
  return Object.entries(fields).some(([luid, field]) => {
    const value = Object.hasOwn(values, luid) ? values[luid] : undefined;
    const isEmpty = value === null || value === undefined;
    if (field.type === 'reference') return isEmpty && mayReach({ [luid]: field }, arrived);
    let lacks = false;
    if (!isEmpty) {
      kindOf(field).map?.(field, value, (_below, inner, group) => {
        lacks ||= mayLack(inner, group, arrived);
        return group;
      });
    }
    return lacks;
  });
}

/** Whether any reference in a group names no model, so that it may lead to content of one that is not declared. */
export function mayLeadAnywhere(fields: FieldsBase): boolean {
  return mayReach(fields, [{ _id: 0, _model: '' } as WireContent]);
}

interface Definition {
  readonly type: string;
  readonly fields?: FieldsBase;
  readonly sets?: { readonly [luid: string]: FieldsBase };
}

function filtersFor(fields: FieldsBase, arrived: readonly WireContent[]): QueryParameters[] | 'whole' {
  const filters: QueryParameters[] = [];
  for (const [luid, definition] of Object.entries(fields)) {
    const { type, fields: inner = {}, sets = {} } = definition as Definition;
    if (type === 'reference') filters.push(...among(luid, definition as ReferenceField, arrived));
    for (const [name, field] of Object.entries(inner)) {
      if (field.type !== 'reference') {
        if (mayReach({ [name]: field }, arrived)) return 'whole';
      } else if (type === 'repeat')
        filters.push(...each(`${luid}.${name}`, field as ReferenceField, arrived));
      else filters.push(...among(`${luid}.${name}`, field as ReferenceField, arrived));
    }
    // §4.1: no filter reaches into a combination.
    if (Object.values(sets).some((set) => mayReach(set, arrived))) return 'whole';
  }
  return filters;
}

function idsFor(field: ReferenceField, arrived: readonly WireContent[]): number[] {
  const targets = targetsOf(field);
  return arrived.filter(({ _model }) => !targets || targets.includes(_model)).map(({ _id }) => _id);
}

function among(path: string, field: ReferenceField, arrived: readonly WireContent[]): QueryParameters[] {
  return chunks(idsFor(field, arrived), 100).map((ids) => ({ [`${path}[in]`]: ids.join(',') }));
}

/** §4.1: in a repeat only `eq` is supported. */
function each(path: string, field: ReferenceField, arrived: readonly WireContent[]): QueryParameters[] {
  return idsFor(field, arrived).map((id) => ({ [`${path}[eq]`]: id }));
}

/** Whether any reference inside a group could lead to one of them. */
function mayReach(fields: FieldsBase, arrived: readonly WireContent[]): boolean {
  return Object.values(fields).some((definition) => {
    if (definition.type === 'reference') return idsFor(definition as ReferenceField, arrived).length > 0;
    const { fields: inner = {}, sets = {} } = definition as Definition;
    return mayReach(inner, arrived) || Object.values(sets).some((set) => mayReach(set, arrived));
  });
}
