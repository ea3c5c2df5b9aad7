import type { WireContent } from '../../../contract/content.ts';
import { fieldTypeOf } from '../../../models/field-types/index.ts';
import { fieldsOf } from '../../../models/fields-of.ts';
import type { ModelMap } from '../../../models/types.ts';
import { setOwn } from '../../../models/walk.ts';
import type { ColumnReader, SegmentItems } from '../../../replica/content/segment-items.ts';

/**
 * The properties of items that a filter, an order or an id depends on: enough to evaluate them without parsing items.
 * Their values are kept as columns; long texts are not, so that memory stays bounded.
 */
export interface RowShape {
  readonly readers: readonly ColumnReader[];
  /** Also texts that are too long to be kept: rows are then made of parsed items. */
  readonly needsItems: boolean;
}

const ALWAYS = ['_title', '_created_at'];

/** A shape with these properties of a model. */
export function rowShape(models: ModelMap, model: string, names: Iterable<string>): RowShape {
  const fields = fieldsOf(models, model);
  const unique = [...new Set([...ALWAYS, ...names])];
  const needsItems = unique.some((name) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field !== undefined && ['rich', 'lines'].includes(fieldTypeOf(field).text ?? '');
  });
  return {
    readers: unique.map((name) => ({
      key: name,
      read: (item) => (Object.hasOwn(item, name) ? item[name] : undefined),
    })),
    needsItems,
  };
}

/** The row of an item. */
export function rowAt(segment: SegmentItems, index: number, { readers, needsItems }: RowShape): WireContent {
  if (needsItems) return segment.get(index);
  const row: Record<string, unknown> = { _id: segment.ids()[index], _model: segment.model };
  const columns = segment.columns(readers);
  for (const [at, { key }] of readers.entries()) setOwn(row, key, columns[at]?.[index]);
  return row as WireContent;
}

/** The field or system property that a path of a filter begins with. */
export function firstName(path: string): string {
  return path.split('.')[0] ?? '';
}
