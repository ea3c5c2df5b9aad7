import type { WireContent } from '../../contract/content.ts';
import { childGroups } from '../../models/child-groups.ts';
import type { FieldBase, FieldsBase } from '../../models/field-types/field-type.ts';
import { isReference } from '../../models/field-types/index.ts';
import { type ReferenceField, targetsOf } from '../../models/field-types/reference.ts';
import type { ModelMap } from '../../models/types.ts';
import { visitReferences } from '../../models/walk.ts';
import { printable } from '../../printable.ts';
import type { Finding } from './finding.ts';
import { counted, nameOf } from './report.ts';

/** The references of one field whose targets are not among the items. */
export interface Dangling {
  readonly model: string;
  /** `related[].article` */
  readonly field: string;
  /** The models that the field names; `undefined` if it may lead to any. */
  readonly targets: readonly string[] | undefined;
  /** Content ID of a target → the items that refer to it. */
  readonly ids: ReadonlyMap<number, readonly WireContent[]>;
}

/**
 * References to what the map does not declare. The service empties references to what is archived or
 * deleted, so an id that leads nowhere is of a model that is not declared, or of content that this key
 * does not show.
 */
export function danglingReferences(models: ModelMap, items: ReadonlyMap<number, WireContent>): Dangling[] {
  const found = new Map<string, Omit<Dangling, 'ids'> & { readonly ids: Map<number, WireContent[]> }>();
  const note = (item: WireContent, field: ReferenceField, path: string, id: number) => {
    const place = path.replaceAll(/\[\d+\]/g, '[]');
    const key = `${item._model}.${place}`;
    const known = found.get(key) ?? {
      model: item._model,
      field: place,
      targets: targetsOf(field),
      ids: new Map<number, WireContent[]>(),
    };
    found.set(key, known);
    const referrers = known.ids.get(id);
    if (referrers) referrers.push(item);
    else known.ids.set(id, [item]);
  };

  const plans = new Map(Object.entries(models).map(([model, fields]) => [model, planOf(fields)]));
  for (const item of items.values()) {
    const plan = plans.get(item._model);
    for (const [luid, field] of plan?.direct ?? []) {
      const id = item[luid];
      if (typeof id === 'number' && !items.has(id)) note(item, field, luid, id);
    }
    if (!plan?.groups) continue;
    visitReferences(plan.groups, item, ({ field, value, path }) => {
      if (typeof value !== 'number' || items.has(value)) return;
      note(item, field, path, value);
    });
  }
  return [...found.values()];
}

interface Plan {
  readonly direct: readonly (readonly [string, ReferenceField])[];
  /** Repeats, combinations and field sets with references in them. */
  readonly groups: FieldsBase | undefined;
}

/** Where a model may have references. Most fields are others, and every item is looked at. */
function planOf(fields: FieldsBase): Plan {
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

/** The models of targets, as far as they were looked up; `null` for what this key does not show. */
export type TargetModels = ReadonlyMap<number, string | null>;

/** What to say of such a field: nothing, if all its targets are content that this key does not show. */
export function danglingFinding(dangling: Dangling, modelOf: TargetModels): Finding | undefined {
  const ids = [...dangling.ids].filter(([id]) => modelOf.get(id) !== null);
  const [first] = ids;
  // Those that were not looked up are taken for what the others are.
  const looked = [...dangling.ids.keys()].filter((id) => modelOf.has(id));
  if (!first || (looked.length > 0 && looked.every((id) => modelOf.get(id) === null))) return undefined;
  // One whose model is known makes the better example.
  const [id, referrers] = ids.find(([one]) => modelOf.has(one)) ?? first;
  const model = modelOf.get(id);
  const count = ids.reduce((sum, [, items]) => sum + items.length, 0);
  const others = [...new Set(ids.flatMap(([one]) => modelOf.get(one) ?? []))].sort();
  const place = `${dangling.model}.${dangling.field}`;
  const declared = dangling.targets?.join(' or ');
  const fate = declared
    ? `${count === 1 ? 'is' : 'are'} empty (the field is declared as a reference to ${declared})`
    : `${count === 1 ? 'stays an id' : 'stay ids'}`;
  const example = `${nameOf(referrers[0] as WireContent)} refers to content ${id}${model ? ` of ${printable(model)}` : ''}`;
  const fix =
    others.length > 0 ? `Declare ${others.map((name) => printable(name)).join(', ')}` : 'Declare its model';
  return {
    key: `dangling ${place}`,
    line:
      `${place}: ${counted(count, 'reference leads', 'references lead')} to content of a model that is not declared, and ${fate}. ` +
      `Example: ${example}. ${fix} in \`models\`${declared ? ` and name it in the reference` : ''}, or run \`npx luid check\``,
  };
}
