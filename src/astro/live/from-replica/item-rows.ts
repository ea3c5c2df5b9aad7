import type { WireContent } from '../../../contract/content.ts';
import type { SegmentItems } from '../../../replica/memory/segment-items.ts';

/** The properties of items that a filter, an order or an id depends on: enough to evaluate them without parsing items. */
export interface RowShape {
  /** Equal for equal shapes. */
  readonly key: string;
  /** The row of an item. */
  readonly rowOf: (item: WireContent) => WireContent;
}

const ALWAYS = ['_id', '_model', '_title', '_created_at'];

/** A shape with these properties. */
export function rowShape(names: Iterable<string>): RowShape {
  const sorted = [...new Set([...ALWAYS, ...names])].sort();
  return {
    key: sorted.join(' '),
    rowOf: (item) => Object.fromEntries(sorted.map((name) => [name, ownValue(item, name)])) as WireContent,
  };
}

/** The rows of a segment, made once and kept with it. */
export function rowsOf(segment: SegmentItems, { key, rowOf }: RowShape): readonly WireContent[] {
  return segment.derive(key, () =>
    Array.from({ length: segment.count }, (_, index) => rowOf(segment.get(index))),
  );
}

/** The field or system property that a path of a filter, or a term of an order, begins with. */
export function firstName(path: string): string {
  return path.replace(/^-/, '').split('.')[0] ?? '';
}

function ownValue(item: WireContent, name: string): unknown {
  return Object.hasOwn(item, name) ? item[name] : undefined;
}
