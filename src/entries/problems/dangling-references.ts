import type { WireContent } from '../../contract/content.ts';
import { pluralize } from '../../format-count.ts';
import { childGroups } from '../../models/child-groups.ts';
import type { FieldBase, FieldsBase } from '../../models/field-types/field-type.ts';
import { isReference } from '../../models/field-types/index.ts';
import { type ReferenceField, targetsOf } from '../../models/field-types/reference.ts';
import type { ModelMap } from '../../models/types.ts';
import { visitReferences } from '../../models/walk.ts';
import { printable } from '../../printable.ts';
import type { ContentWarning } from './content-warning.ts';
import { describeItem } from './describe-item.ts';

/** The references of one field whose targets are not in the replica. */
export interface DanglingReferences {
  readonly model: string;
  /** `related[].article` */
  readonly field: string;
  /** The models that the field declares; `undefined` if it accepts any. */
  readonly targets: readonly string[] | undefined;
  /** Content ID of a target → the items that refer to it. */
  readonly ids: ReadonlyMap<number, readonly WireContent[]>;
}

/**
 * References whose targets are not among the items. The service returns references to archived or deleted
 * content as empty, so such a target is of an undeclared model, in another sub-space, or not visible to the key.
 */
export function findDanglingReferences(
  models: ModelMap,
  items: ReadonlyMap<number, WireContent>,
): DanglingReferences[] {
  const found = new Map<
    string,
    Omit<DanglingReferences, 'ids'> & { readonly ids: Map<number, WireContent[]> }
  >();
  const add = (item: WireContent, field: ReferenceField, path: string, id: number) => {
    const fieldPath = path.replaceAll(/\[\d+\]/g, '[]');
    const key = `${item._model}.${fieldPath}`;
    const known = found.get(key) ?? {
      model: item._model,
      field: fieldPath,
      targets: targetsOf(field),
      ids: new Map<number, WireContent[]>(),
    };
    found.set(key, known);
    const referrers = known.ids.get(id);
    if (referrers) referrers.push(item);
    else known.ids.set(id, [item]);
  };

  const references = new Map(Object.entries(models).map(([model, fields]) => [model, referencesIn(fields)]));
  for (const item of items.values()) {
    const { direct, groups } = references.get(item._model) ?? {};
    for (const [luid, field] of direct ?? []) {
      const id = item[luid];
      if (typeof id === 'number' && !items.has(id)) add(item, field, luid, id);
    }
    if (!groups) continue;
    visitReferences(groups, item, ({ field, value, path }) => {
      if (typeof value !== 'number' || items.has(value)) return;
      add(item, field, path, value);
    });
  }
  return [...found.values()];
}

interface ModelReferences {
  readonly direct: readonly (readonly [string, ReferenceField])[];
  /** Repeats, combinations and field sets that contain references. */
  readonly groups: FieldsBase | undefined;
}

/** The fields of a model that contain references, so that items are not searched for them in all other fields. */
function referencesIn(fields: FieldsBase): ModelReferences {
  const entries = Object.entries(fields);
  const direct = entries.flatMap(([luid, field]) => (isReference(field) ? [[luid, field] as const] : []));
  const groups = entries.filter(([, field]) => !isReference(field) && hasReference(field));
  return { direct, groups: groups.length > 0 ? Object.fromEntries(groups) : undefined };
}

function hasReference(field: FieldBase): boolean {
  return (
    isReference(field) || childGroups(field).some(([, fields]) => Object.values(fields).some(hasReference))
  );
}

/** The models of the targets that were looked up; `null` for content that is not visible to the key. */
export type TargetModels = ReadonlyMap<number, string | null>;

/** The warning about such a field; `undefined` if none of its targets is visible to the key. */
export function danglingWarning(
  dangling: DanglingReferences,
  modelOf: TargetModels,
): ContentWarning | undefined {
  const ids = [...dangling.ids].filter(([id]) => modelOf.get(id) !== null);
  const [first] = ids;
  // Targets that were not looked up are assumed to be like the others.
  const lookedUp = [...dangling.ids.keys()].filter((id) => modelOf.has(id));
  if (!first || (lookedUp.length > 0 && lookedUp.every((id) => modelOf.get(id) === null))) return undefined;
  // Prefer an example whose model is known.
  const [id, referrers] = ids.find(([one]) => modelOf.has(one)) ?? first;
  const model = modelOf.get(id);
  const count = ids.reduce((sum, [, items]) => sum + items.length, 0);
  const undeclared = [...new Set(ids.flatMap(([one]) => modelOf.get(one) ?? []))].sort();
  const fieldName = `${dangling.model}.${dangling.field}`;
  const declared = dangling.targets?.join(' or ');
  const consequence = declared
    ? `${count === 1 ? 'is' : 'are'} empty (the field is declared as a reference to ${declared})`
    : `${count === 1 ? 'stays an id' : 'stay ids'}`;
  const example = `${describeItem(referrers[0] as WireContent)} refers to content ${id}${model ? ` of ${printable(model)}` : ''}`;
  const fix =
    undeclared.length > 0
      ? `Declare ${undeclared.map((name) => printable(name)).join(', ')}`
      : 'Declare its model';
  return {
    key: `dangling ${fieldName}`,
    items: [...new Set(ids.flatMap(([, items]) => items.map(({ _id }) => _id)))],
    line:
      `${fieldName}: ${pluralize(count, 'reference points', 'references point')} to content of an undeclared model and ${consequence}. ` +
      `Example: ${example}. ${fix} in \`models\`${declared ? ` and add it to the reference` : ''}, or run \`npx luid check\``,
  };
}

/** The sub-spaces of targets that were looked up, of those in another one than the replica. */
export type TargetSpaces = ReadonlyMap<number, string>;

/** The warning about references of a field to content of other sub-spaces; `undefined` if there are none. */
export function otherSpaceWarning(
  { model, field, ids }: DanglingReferences,
  spaceOf: TargetSpaces,
): ContentWarning | undefined {
  const others = [...ids].filter(([id]) => spaceOf.has(id));
  const [first] = others;
  if (!first) return undefined;
  const [id, [referrer]] = first as [number, [WireContent]];
  const items = [...new Set(others.flatMap(([, referrers]) => referrers.map(({ _id }) => _id)))];
  return {
    key: `other space ${model}.${field}`,
    items,
    line:
      `${model}.${field} of ${pluralize(items.length, 'item')} is empty where it refers to content of another sub-space, which \`space\` excludes. ` +
      `Example: ${describeItem(referrer)} refers to content ${id} of ${printable(spaceOf.get(id) as string)}. ` +
      'To include it, leave out `space` in defineSpace(), and set `where: { _space: { eq: … } }` for the loader',
  };
}
