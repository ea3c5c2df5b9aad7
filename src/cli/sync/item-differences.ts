import { isDeepStrictEqual } from 'node:util';
import type { WireContent } from '../../contract/content.ts';

/** An item that differs between two versions of the content. */
export interface ItemDifference {
  readonly id: number;
  readonly model: string;
  readonly title: string;
  readonly what: 'added' | 'changed' | 'removed';
  /** The properties that changed. */
  readonly fields: readonly string[];
}

type Items = ReadonlyMap<number, WireContent>;

/** The items that were added, changed or removed, ordered by id. */
export function compareItems(before: Items, after: Items): ItemDifference[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  return ids.flatMap((id) => {
    const [was, is] = [before.get(id), after.get(id)];
    const item = is ?? was;
    if (!item || isDeepStrictEqual(was, is)) return [];
    const what = was ? (is ? 'changed' : 'removed') : 'added';
    const fields = was && is ? changedFields(was, is) : [];
    return [{ id, model: item._model, title: item._title, what, fields }];
  });
}

function changedFields(was: WireContent, is: WireContent): string[] {
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names].filter((name) => !isDeepStrictEqual(was[name], is[name]));
}
