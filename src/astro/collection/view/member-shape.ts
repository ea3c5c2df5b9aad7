import type { WireContent } from '../../../contract/content.ts';
import type { CollectionRule } from '../../../entries/collection.ts';
import { itemForId } from '../../../entries/existing-references.ts';
import type { LanguageItems } from '../../../entries/language-items.ts';
import type { FieldsBase } from '../../../models/field-types/field-type.ts';
import { visitReferences } from '../../../models/walk.ts';
import type { Collection } from './collection.ts';
import { type RowShape, rowShape } from './item-rows.ts';

/** The rows that ids, membership and neighbours are decided by. */
export interface MemberShape extends RowShape {
  readonly idRuleIn: (languageItems: LanguageItems) => CollectionRule['id'];
}

/**
 * What ids, membership and neighbours depend on. The results of an `id` function are a column, which later versions of
 * the content use too. The function is called again for a member without such a result, because the function failed, or
 * with a reference that leads nowhere in a version.
 */
export function memberShape({ space, settings, key }: Collection): MemberShape {
  const { id, fields } = settings.rule;
  const names = [
    ...(typeof id === 'string' ? [id] : []),
    ...settings.whereFields,
    ...(settings.order?.fields ?? []),
  ];
  const shape = rowShape(space.models, settings.model, names);
  if (key === undefined) return { ...shape, needsItems: true, idRuleIn: () => id };
  if (typeof id !== 'function' || shape.needsItems) return { ...shape, idRuleIn: () => id };
  // No LUID contains a space.
  const column = `id of ${key}`;
  const references = 'all references';
  return {
    ...shape,
    readers: [
      ...shape.readers,
      { key: column, read: (item) => resultOf(id, item) },
      { key: references, read: (item) => referencesOf(fields, item) },
    ],
    idRuleIn: (languageItems) => (row) => {
      const areAllThere = (row[references] as readonly number[]).every((target) => languageItems.has(target));
      const isUsable = areAllThere && row[column] !== undefined;
      const item = isUsable ? undefined : languageItems.get(row._id);
      return item ? id(itemForId(fields, id, item, languageItems)) : (row[column] as string);
    },
  };
}

/** A column also has values of items that are not members, for which the function may fail. */
function resultOf(
  id: (item: WireContent) => string | number,
  item: WireContent,
): string | number | undefined {
  try {
    return id(item);
  } catch {
    return undefined;
  }
}

function referencesOf(fields: FieldsBase, item: WireContent): number[] {
  const found: number[] = [];
  visitReferences(fields, item, ({ value }) => {
    if (typeof value === 'number') found.push(value);
  });
  return found;
}
