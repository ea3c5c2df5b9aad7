import { TEXT_FORMATS, type TextFormat } from '../../contract/parameters.ts';
import { childGroups } from '../../models/child-groups.ts';
import type { FieldBase, FieldsBase } from '../../models/field-types/field-type.ts';
import { isReference, isRichText } from '../../models/field-types/index.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { setOwn } from '../../models/walk.ts';
import type { Formats } from '../fields/field-behaviour.ts';
import { badRequest } from '../http/http-error.ts';
import { getOwn } from '../state/own-property.ts';
import type { State } from '../state/state.ts';

interface Branch {
  format: TextFormat | undefined;
  below: Map<string, Branch>;
}

/**
 * §4.1: all `path[format]` parameters as one tree. A path leads through groups, combinations and references; in a
 * combination it may name the field set (`sections.quote.text`), or omit it to mean every set that has the field.
 */
export function parseFormats(
  requested: ReadonlyMap<string, string>,
  models: readonly string[],
  state: State,
  unknownField: 'error' | 'ignore',
): Formats | undefined {
  if (requested.size === 0) return undefined;
  const root: Branch = { format: undefined, below: new Map() };
  for (const [path, format] of requested) {
    if (!isTextFormat(format)) throw badRequest();
    const segments = path.split('.');
    const fields = fieldsAt(segments, models, state);
    if (fields.length === 0 && unknownField === 'ignore') continue;
    if (!fields.some(isRichText)) throw badRequest();
    let node = root;
    for (const segment of segments) {
      const next = node.below.get(segment) ?? { format: undefined, below: new Map() };
      node.below.set(segment, next);
      node = next;
    }
    node.format = format;
  }
  return root;
}

function isTextFormat(format: string): format is TextFormat {
  return (TEXT_FORMATS as readonly string[]).includes(format);
}

/** Enough for every reference that `depth` can embed, with a combination before each. */
const MAX_PATH_LENGTH = 12;

/** All fields that a path may refer to. */
function fieldsAt(segments: readonly string[], models: readonly string[], state: State): FieldBase[] {
  if (segments.length > MAX_PATH_LENGTH) return [];
  let groups = new Set(models.map((model) => state.fields(model) ?? {}));
  let fields: FieldBase[] = [];
  for (const segment of segments) {
    fields = [...groups].flatMap((group) => getOwn(group, segment) ?? []);
    groups = new Set(fields.flatMap((field) => groupsIn(field, state)));
  }
  return fields;
}

function groupsIn(field: FieldBase, state: State): FieldsBase[] {
  if (isReference(field)) {
    return (targetsOf(field) ?? Object.keys(state.models)).map((model) => state.fields(model) ?? {});
  }
  const groups = childGroups(field);
  const sets: Record<string, FieldBase> = {};
  for (const [luid, fields] of groups) {
    if (luid !== undefined) setOwn(sets, luid, { type: 'field_set', fields });
  }
  return [...groups.map(([, fields]) => fields), sets];
}
