import type { WireContent } from '../contract/content.ts';
import { type ReferenceField, targetsOf } from '../models/kinds/reference.ts';
import type { ModelMap } from '../models/types.ts';
import { mapLeaves } from '../models/walk.ts';

export interface Resolver {
  /** The item with its references as content to `depth`, and as ids past it. */
  resolve(item: WireContent, depth: number): WireContent;
}

export interface ResolverOptions {
  readonly models: ModelMap;
  readonly items: ReadonlyMap<number, WireContent>;
  /** Told once of each reference field whose target's model is not declared, so that it stays an id. */
  readonly onUndeclared?: (place: string, id: number) => void;
}

/**
 * Links flat items by depth alone, as the service does. An item is linked once for each depth, however
 * many others embed it, and they all share it. A missing target is empty, at the depth's end too.
 */
export function createResolver({ models, items, onUndeclared }: ResolverOptions): Resolver {
  const linked = new Map<number, Map<number, WireContent>>();
  const warned = new Set<string>();

  function link(field: ReferenceField, id: number, place: string, depth: number): unknown {
    const target = items.get(id);
    if (target) return depth === 0 ? id : resolve(target, depth - 1);
    // The service empties references to what is gone, so this id is content of a model that is not declared.
    if (targetsOf(field)) return null;
    if (!warned.has(place)) onUndeclared?.(place, id);
    warned.add(place);
    return id;
  }

  function resolve(item: WireContent, depth: number): WireContent {
    const atDepth = linked.get(depth) ?? new Map<number, WireContent>();
    linked.set(depth, atDepth);
    const known = atDepth.get(item._id);
    if (known) return known;
    const result = mapLeaves(models[item._model] ?? {}, item, ({ field, value, path }) => {
      if (field.type !== 'reference' || typeof value !== 'number') return value;
      return link(field, value, `${item._model}.${path.replaceAll(/\[\d+\]/g, '[]')}`, depth);
    });
    atDepth.set(item._id, result);
    return result;
  }

  return { resolve };
}
