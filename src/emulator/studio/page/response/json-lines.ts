import type { StudioField, StudioModel } from '../../studio-types.ts';

export type TokenKind = 'key' | 'string' | 'number' | 'constant' | 'punctuation';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** The id of the content that it refers to. */
  readonly item?: number | undefined;
}

/** One line of indented JSON. */
export interface JsonLine {
  readonly indent: number;
  readonly tokens: readonly Token[];
}

/** What is known about a value from the place that it is in. */
export type Place =
  | { readonly kind: 'page' | 'content'; readonly model?: string | undefined }
  | { readonly kind: 'id' | 'unknown' }
  | { readonly kind: 'field' | 'block'; readonly field: StudioField }
  | { readonly kind: 'fields'; readonly fields: readonly StudioField[] };

const UNKNOWN: Place = { kind: 'unknown' };

/** The lines of a response, in the order of its text. The ids of content are marked. */
export function jsonLines(value: unknown, root: Place, models: readonly StudioModel[]): JsonLine[] {
  const lines: JsonLine[] = [];
  let tokens: Token[] = [];
  const endLine = (indent: number) => {
    lines.push({ indent, tokens });
    tokens = [];
  };

  /** Leaves the last line open, for a comma. */
  function write(inner: unknown, place: Place, indent: number): void {
    if (typeof inner !== 'object' || inner === null) {
      tokens.push(scalar(inner, place));
      return;
    }
    const isList = Array.isArray(inner);
    const [start, end] = isList ? ['[', ']'] : ['{', '}'];
    const entries = Object.entries(inner);
    tokens.push(punctuation(entries.length > 0 ? start : start + end));
    if (entries.length === 0) return;
    endLine(indent);
    for (const [index, [name, child]] of entries.entries()) {
      if (!isList) tokens.push({ kind: 'key', text: JSON.stringify(name) }, punctuation(': '));
      const below = isList ? elementPlace(place) : propertyPlace(place, name, inner, models);
      write(child, below, indent + 1);
      if (index < entries.length - 1) tokens.push(punctuation(','));
      endLine(indent + 1);
    }
    tokens.push(punctuation(end));
  }

  write(value, root, 0);
  endLine(0);
  return lines;
}

function punctuation(text: string): Token {
  return { kind: 'punctuation', text };
}

function scalar(value: unknown, place: Place): Token {
  const text = JSON.stringify(value);
  if (typeof value === 'string') return { kind: 'string', text };
  if (typeof value !== 'number') return { kind: 'constant', text };
  const isItem = place.kind === 'id' || (place.kind === 'field' && place.field.control === 'content');
  return { kind: 'number', text, item: isItem ? value : undefined };
}

function elementPlace(place: Place): Place {
  if (place.kind === 'content') return place;
  if (place.kind !== 'field') return UNKNOWN;
  const { field } = place;
  if (field.control === 'list') return { kind: 'fields', fields: field.fields ?? [] };
  return field.control === 'blocks' ? { kind: 'block', field } : place;
}

function propertyPlace(place: Place, name: string, parent: object, models: readonly StudioModel[]): Place {
  switch (place.kind) {
    case 'page':
      return name === 'data' ? { kind: 'content', model: place.model } : UNKNOWN;
    case 'content':
      return contentPlace(place.model, name, parent, models);
    case 'fields':
      return fieldPlace(place.fields, name);
    case 'block': {
      const { luid } = parent as { luid?: unknown };
      const set = place.field.sets?.find((candidate) => candidate.luid === luid);
      return name === 'fields' && set ? { kind: 'fields', fields: set.fields } : UNKNOWN;
    }
    case 'field': {
      const { control, fields, models: targets } = place.field;
      if (control === 'group') return fieldPlace(fields ?? [], name);
      const only = targets?.length === 1 ? targets[0] : undefined;
      return control === 'content' ? contentPlace(only, name, parent, models) : UNKNOWN;
    }
    default:
      return UNKNOWN;
  }
}

/** `model` is that of content which does not name it, because of `select`. */
function contentPlace(
  model: string | undefined,
  name: string,
  parent: object,
  models: readonly StudioModel[],
): Place {
  if (name === '_id') return { kind: 'id' };
  if (name === '_prev' || name === '_next') return { kind: 'content' };
  const { _model = model } = parent as { _model?: unknown };
  return fieldPlace(models.find(({ luid }) => luid === _model)?.fields ?? [], name);
}

function fieldPlace(fields: readonly StudioField[], name: string): Place {
  const field = fields.find(({ luid }) => luid === name);
  return field ? { kind: 'field', field } : UNKNOWN;
}
