import { isLuid } from '../../contract/luid.ts';
import { isEmpty } from '../../models/field-types/field-type.ts';
import { isRecord } from '../../shared/is-record.ts';

/** What a value looks like at depth 0 (§2.2). There is no number field: a number is a content id, or unexpected. */
export type Shape =
  | 'text'
  | 'true or false'
  | 'content id'
  | 'media'
  | 'list of texts'
  | 'list of blocks'
  | 'list of groups'
  | 'group'
  | 'something else';

/** `undefined` for an empty value, which has no shape. */
export function shapeOf(value: unknown): Shape | undefined {
  if (isEmpty(value)) return undefined;
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'true or false';
  if (typeof value === 'number' && value > 0 && Number.isSafeInteger(value)) return 'content id';
  if (Array.isArray(value)) return shapeOfList(value);
  if (isRecord(value)) return isMedia(value) ? 'media' : 'group';
  return 'something else';
}

function shapeOfList(list: readonly unknown[]): Shape {
  if (list.every((entry) => typeof entry === 'string')) return 'list of texts';
  if (list.every(isBlock)) return 'list of blocks';
  if (list.every(isRecord)) return 'list of groups';
  return 'something else';
}

/** A field set may have fields of these names too: an absolute URL distinguishes media from most of those. */
function isMedia(value: Record<string, unknown>): value is { url: string; alt: string | null } {
  const { url, alt } = value;
  return (
    Object.keys(value).length === 2 &&
    typeof url === 'string' &&
    /^https?:\/\//.test(url) &&
    URL.canParse(url) &&
    (typeof alt === 'string' || alt === null)
  );
}

export interface Block {
  readonly luid: string;
  readonly fields: Record<string, unknown>;
}

function isBlock(entry: unknown): entry is Block {
  return isRecord(entry) && Object.keys(entry).length === 2 && isLuid(entry.luid) && isRecord(entry.fields);
}
