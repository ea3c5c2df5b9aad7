import { childGroups } from '../../models/child-groups.ts';
import type { FieldBase, FieldsBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import { type ReferenceField, targetsOf } from '../../models/field-types/reference.ts';
import { titleField } from '../../models/title-field.ts';
import type { Assumptions } from '../assumptions.ts';
import { behaviourOf } from '../fields/index.ts';
import { getOrCreate } from '../get-or-create.ts';
import type { Item } from '../state/item.ts';
import type { SeedKey } from '../state/seed-types.ts';
import { itemStatus } from './item-view.ts';
import type { StudioContext } from './studio-context.ts';
import type {
  ItemStatus,
  StudioField,
  StudioKey,
  StudioModel,
  StudioSpace,
  TimeEffect,
} from './studio-types.ts';

/** The models with their counts, the languages, the keys and the URLs. */
export function describeSpace({ emulator, requestContext }: StudioContext): StudioSpace {
  const { state, header, assetsUrl, baseUrl } = requestContext();
  const counts = countItems(state.items.values());
  const { main, sub } = state.languages;
  return {
    languages: { main, sub },
    spaces: state.spaces && [...state.spaces],
    models: Object.entries(state.models).map(
      ([luid, fields]): StudioModel => ({
        luid,
        titleField: titleField(fields),
        fields: describeFields(fields),
        counts: counts.get(luid) ?? noItems(),
      }),
    ),
    mediaCount: state.media.size,
    keys: [...state.keys.values()].map(describeKey),
    baseUrl,
    assetsUrl,
    header,
    effects: describeEffects(emulator.assumptions),
  };
}

function countItems(items: Iterable<Item>) {
  const counts = new Map<string, Record<ItemStatus, number>>();
  for (const item of items) {
    getOrCreate(counts, item.model, noItems)[itemStatus(item)]++;
  }
  return counts;
}

function noItems(): Record<ItemStatus, number> {
  return { draft: 0, published: 0, published_draft: 0, archived: 0 };
}

function describeFields(fields: FieldsBase): StudioField[] {
  return Object.entries(fields).map(([luid, field]) => describeField(luid, field));
}

function describeField(luid: string, field: FieldBase): StudioField {
  const { link } = fieldTypeOf(field);
  const { control } = behaviourOf(field);
  const { options } = field as { options?: readonly string[] };
  const models = link === 'reference' ? targetsOf(field as ReferenceField) : undefined;
  const groups = childGroups(field).map(([set, inner]) => ({ set, fields: describeFields(inner) }));
  const sets = groups.flatMap((group) =>
    group.set === undefined ? [] : [{ luid: group.set, fields: group.fields }],
  );
  const direct = groups.find(({ set }) => set === undefined)?.fields;
  return {
    luid,
    type: field.type,
    control,
    required: field.required === true,
    ...(options && { options }),
    ...(models && { models }),
    ...(direct && { fields: direct }),
    ...(sets.length > 0 && { sets }),
  };
}

function describeKey({ key, reads, spaces }: SeedKey, index: number): StudioKey {
  return { name: `#${index + 1} (${reads})`, key, reads, spaces };
}

/** What each action does to `_updated_at` and `_last_published_at` with the current assumptions. */
function describeEffects(assumptions: Assumptions): StudioSpace['effects'] {
  const touches = (yes: boolean): TimeEffect => (yes ? 'now' : 'unchanged');
  const discarded = { restore: 'before-draft', now: 'now', keep: 'unchanged' } as const;
  const lastPublished = 'unchanged';
  return {
    draft: { updated: touches(assumptions.draftTouchesUpdatedAt), lastPublished },
    publish: { updated: touches(assumptions.publishTouchesUpdatedAt), lastPublished: 'now' },
    unpublish: { updated: touches(assumptions.unpublishTouchesUpdatedAt), lastPublished },
    archive: { updated: touches(assumptions.archiveTouchesUpdatedAt), lastPublished },
    restore: { updated: touches(assumptions.restoreTouchesUpdatedAt), lastPublished },
    discard: { updated: discarded[assumptions.discardUpdatedAt], lastPublished },
  };
}
