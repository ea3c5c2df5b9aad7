import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { visitReferences } from '../../models/walk.ts';
import { type BackupItem, STATES, type State } from '../backup/backup-item.ts';

/** The items that an item refers to, in one state or in all. */
export function referencesOf(
  models: ModelMap,
  item: BackupItem,
  states: readonly State[] = STATES,
): Set<number> {
  const found = new Set<number>();
  for (const state of states) {
    for (const values of Object.values(item[state] ?? {})) {
      visitReferences(fieldsOf(models, item.model), values, ({ value }) => found.add(value as number));
    }
  }
  return found;
}

/** Items so that what they refer to comes first, as far as references are not circular. */
export function creationOrder(models: ModelMap, items: readonly BackupItem[]): BackupItem[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const ordered = new Set<BackupItem>();
  const entered = new Set<BackupItem>();
  for (const start of items) {
    // Without recursion: chains of references may be long.
    const stack: { item: BackupItem; targets: Iterator<number> }[] = [];
    const enter = (item: BackupItem) => {
      if (entered.has(item)) return;
      entered.add(item);
      stack.push({ item, targets: referencesOf(models, item).values() });
    };
    enter(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const { done, value } = top.targets.next();
      const target = done ? undefined : byId.get(value);
      if (target) enter(target);
      else if (done) {
        ordered.add(top.item);
        stack.pop();
      }
    }
  }
  return [...ordered];
}
