import { TEXT_FORMATS, type TextFormat } from '../../contract/parameters.ts';
import type { FieldBase, FieldsBase } from '../../models/field-types/field-type.ts';
import { isRichText } from '../../models/field-types/index.ts';
import { setOwn } from '../../models/walk.ts';
import type { Formats } from '../fields/field-behaviour.ts';
import { behaviourOf } from '../fields/index.ts';
import { badRequest } from '../http/refusal.ts';
import { own } from '../state/own.ts';
import type { State } from '../state/state.ts';

interface Branch {
  format: TextFormat | undefined;
  below: Map<string, Branch>;
}

/**
 * §4.1: every `path[format]`, as one tree. A path leads through groups, blocks and references alike; in
 * a combination it may name the field set (`sections.quote.text`) or leave it out, for all that have the field.
 */
export function parseFormats(
  asked: ReadonlyMap<string, string>,
  models: readonly string[],
  state: State,
  unknownField: 'error' | 'ignore',
): Formats | undefined {
  if (asked.size === 0) return undefined;
  const root: Branch = { format: undefined, below: new Map() };
  for (const [path, format] of asked) {
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

/** As far as `depth` shows references, with a block before each. */
const LONGEST_PATH = 12;

/** All fields that a path may mean. */
function fieldsAt(segments: readonly string[], models: readonly string[], state: State): FieldBase[] {
  if (segments.length > LONGEST_PATH) return [];
  let groups = new Set(models.map((model) => state.fields(model) ?? {}));
  let fields: FieldBase[] = [];
  for (const segment of segments) {
    fields = [...groups].flatMap((group) => own(group, segment) ?? []);
    groups = new Set(fields.flatMap((field) => groupsIn(field, state)));
  }
  return fields;
}

function groupsIn(field: FieldBase, state: State): FieldsBase[] {
  const inside = behaviourOf(field).inside?.(field);
  if (!inside) return [];
  if (inside.via === 'content') {
    return (inside.models ?? Object.keys(state.models)).map((model) => state.fields(model) ?? {});
  }
  if (inside.via !== 'blocks') return [inside.fields];
  const named: Record<string, unknown> = {};
  for (const [luid, fields] of Object.entries(inside.sets))
    setOwn(named, luid, { type: 'field_set', fields });
  return [...Object.values(inside.sets), named as FieldsBase];
}
