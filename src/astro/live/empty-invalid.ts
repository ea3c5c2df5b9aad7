import type { WireContent } from '../../contract/content.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { mapReferences } from '../../models/walk.ts';
import { isRecord } from '../../shared/is-record.ts';
import type { LiveSpace } from './live-options.ts';

/** The item, with empty references where it embeds content that does not match its model, unless they are required. */
export function emptyInvalid(
  space: Pick<LiveSpace<ModelMap, string>, 'models' | 'schema'>,
  item: WireContent,
  depth: number,
): WireContent {
  return mapReferences(fieldsOf(space.models, item._model), item, ({ field, value }) => {
    if (!isContent(value) || !Object.hasOwn(space.models, value._model)) return value;
    const target = emptyInvalid(space, value, depth - 1);
    const isValid = space.schema(value._model, { depth: (depth - 1) as 0 }).safeParse(target).success;
    return isValid || field.required ? target : null;
  });
}

function isContent(value: unknown): value is WireContent {
  return isRecord(value) && typeof value._model === 'string';
}
