import type { WireContent } from '../contract/content.ts';
import { LuidContentError } from '../errors.ts';

/** One thing that is wrong with one item: zod's own issue fits. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Content that does not fit, as far as it is known: an item, or one that it embeds. */
type Owner = Pick<WireContent, '_id' | '_model' | '_title'>;

/** An item as editors find it. Its title may be what is wrong with it. */
export function nameOf({ _model, _id, _title }: Owner): string {
  return `${_model} ${_id}${typeof _title === 'string' ? ` "${_title}"` : ''}`;
}

/** One error for all items that do not fit their model, each once, with every field that is wrong. */
export function invalidContent(
  found: readonly { data: WireContent; issues: readonly Issue[] }[],
): LuidContentError {
  const owners = new Map<number, { owner: Owner; problems: Map<string, string> }>();
  for (const { data, issues } of found) {
    for (const issue of issues) {
      const { owner, path } = ownerOf(data, issue.path);
      const entry = owners.get(owner._id) ?? { owner, problems: new Map<string, string>() };
      owners.set(owner._id, entry);
      entry.problems.set(fieldPath(path), issue.message);
    }
  }
  const [first] = owners.values();
  const lines = [...owners.values()].flatMap(({ owner, problems }) => [
    nameOf(owner),
    ...[...problems].map(([path, message]) => `  ${path && `${path}: `}${message}`),
  ]);
  const count = owners.size === 1 ? '1 item does' : `${owners.size} items do`;
  return new LuidContentError(`${count} not fit the declared models:\n  ${lines.join('\n  ')}`, {
    model: first?.owner._model,
    id: first?.owner._id,
    field: first?.problems.keys().next().value,
  });
}

/** An embedded item is at fault itself, however many entries embed it: the last content on the path. */
function ownerOf(
  data: WireContent,
  path: readonly PropertyKey[],
): { owner: Owner; path: readonly PropertyKey[] } {
  let owner: Owner = data;
  let rest = path;
  let value: unknown = data;
  for (const [index, key] of path.entries()) {
    value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
    if (!isContent(value)) continue;
    owner = value;
    rest = path.slice(index + 1);
  }
  return { owner, path: rest };
}

function isContent(value: unknown): value is Owner {
  const { _id, _model } = (value ?? {}) as Partial<Owner>;
  return typeof _id === 'number' && typeof _model === 'string';
}

/** `sections[2].fields.image` */
function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}
