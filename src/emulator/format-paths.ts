import { TEXT_FORMATS, type TextFormat } from '../contract/parameters.ts';
import type { FieldBase, FieldsBase } from '../models/kinds/kind.ts';
import { emulated } from './kinds/index.ts';
import type { Formats } from './kinds/kind.ts';
import { own } from './own.ts';
import { badRequest } from './refusal.ts';
import type { State } from './state.ts';

interface Branch {
  format: TextFormat | undefined;
  below: Map<string, Branch>;
}

/** §4.1: every `path[format]`, as one tree. A path leads through groups, blocks and references alike. */
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
    if (!fields.some(({ type }) => type === 'flexible_text')) throw badRequest();
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

/** As far as `depth` shows references, with a group before each. */
const LONGEST_PATH = 8;

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
  const inside = emulated(field).inside?.(field);
  if (!inside) return [];
  if (inside.via === 'content') {
    return (inside.models ?? Object.keys(state.models)).map((model) => state.fields(model) ?? {});
  }
  return inside.via === 'blocks' ? Object.values(inside.sets) : [inside.fields];
}
