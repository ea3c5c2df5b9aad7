import type { WireContent } from '../../contract/content.ts';
import { LuidContentError } from '../../errors.ts';
import { printable } from '../../printable.ts';
import { likelyCause } from './likely-cause.ts';

/** One thing that is wrong with one item: zod's own issue fits. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** An item that does not fit its model, and why. */
export interface InvalidItem {
  readonly data: WireContent;
  readonly issues: readonly Issue[];
}

/** Content that does not fit, as far as it is known: an item, or one that it embeds. */
type Owner = Pick<WireContent, '_id' | '_model' | '_title'>;

/** An item as editors find it. Its title may be what is wrong with it. */
export function nameOf({ _model, _id, _title }: Owner): string {
  const title = typeof _title === 'string' ? ` ${printable(JSON.stringify(_title), 60)}` : '';
  return `${modelName(_model)} ${_id}${title}`;
}

/** A service may send anything in place of a LUID. */
function modelName(model: unknown): string {
  return typeof model === 'string' ? printable(model, 60) : 'content';
}

/** `1 entry`, `1,204 entries` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** `a`, `b`, `c`, and how many more there are. */
export function firstFew(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most), `and ${(lines.length - most).toLocaleString('en')} more`];
}

/** What else could be done about invalid entries, where they are not skipped already. */
export const SKIP_HINT = ' `onInvalid: "skip"` leaves such entries out.';

const EXAMPLES = 3;
const MOST_FIELDS = 20;

/** What is wrong with one field of a model, in all items. */
interface Fault {
  readonly owner: Owner;
  readonly field: string;
  /** By content id: each item once, with its first problem. */
  readonly items: Map<number, string>;
  readonly values: unknown[];
  /** The first problem. */
  readonly message: string;
}

/**
 * One error for all items that do not fit their model: formatCount by field, so that one fault in the map is
 * one group, however many items show it. `skips`: they are left out.
 */
export function invalidContent(found: readonly InvalidItem[], skips = false): LuidContentError {
  const faults = new Map<string, Fault>();
  const ids = new Set<number>();
  for (const { data, issues } of found) {
    for (const issue of issues) {
      const { owner, path, value } = ownerOf(data, issue.path);
      const field = fieldPath(path);
      const key = `${owner._model} ${field.replaceAll(/\[\d+\]/g, '[]')}`;
      const fault: Fault = faults.get(key) ?? {
        owner,
        field,
        items: new Map(),
        values: [],
        message: issue.message,
      };
      faults.set(key, fault);
      ids.add(owner._id);
      fault.values.push(value);
      if (!fault.items.has(owner._id)) fault.items.set(owner._id, lineOf(owner, field, issue.message));
    }
  }
  const [first] = faults.values();
  const groups = [...faults.values()].map(groupOf);
  const count = `${counted(ids.size, 'item')} ${ids.size === 1 ? 'does' : 'do'}`;
  return new LuidContentError(`${count} not fit the declared models:\n${joined(groups)}`, {
    model: first?.owner._model,
    id: first?.owner._id,
    field: first?.field || undefined,
    hint: `Run \`npx luid check\` to compare the models with the content.${skips ? '' : SKIP_HINT}`,
  });
}

function joined(groups: readonly string[]): string {
  const most = Math.min(groups.length, MOST_FIELDS);
  const rest = groups.length > most ? [`  and ${groups.length - most} more fields`] : [];
  return [...groups.slice(0, most), ...rest].join('\n');
}

function groupOf({ owner, field, items, values, message }: Fault): string {
  const name = [modelName(owner._model), ...(field ? [field.replaceAll(/\[\d+\]/g, '[]')] : [])].join('.');
  const cause = likelyCause(values, message);
  const lines = firstFew([...items.values()], EXAMPLES);
  return [
    `  ${name}: ${counted(items.size, 'item')}${cause ? ` (${cause})` : ''}`,
    ...lines.map((line) => `    ${line}`),
  ].join('\n');
}

function lineOf(owner: Owner, field: string, message: string): string {
  // Where in a list it is, which the heading of the group does not say.
  const place = /\[\d+\]/.test(field) ? ` ${field}` : '';
  return `${nameOf(owner)}${place}: ${printable(message, 300)}`;
}

/** An embedded item is at fault itself, however many entries embed it: the last content on the path. */
function ownerOf(
  data: WireContent,
  path: readonly PropertyKey[],
): { owner: Owner; path: readonly PropertyKey[]; value: unknown } {
  let owner: Owner = data;
  let rest = path;
  let value: unknown = data;
  for (const [index, key] of path.entries()) {
    value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
    if (!isContent(value)) continue;
    // What the path ends at is the field's own value: content of another kind than was declared.
    if (index === path.length - 1) break;
    owner = value;
    rest = path.slice(index + 1);
  }
  return { owner, path: rest, value: path.length === 0 ? undefined : value };
}

function isContent(value: unknown): value is Owner {
  const { _id, _model } = (value ?? {}) as Partial<Owner>;
  return typeof _id === 'number' && typeof _model === 'string';
}

/** `sections[2].fields.image` */
function fieldPath(path: readonly PropertyKey[]): string {
  const joined = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return printable(joined.replace(/^\./, ''), 120);
}

/** One error for all ids that several items have. */
export function duplicateIds(
  duplicates: ReadonlyMap<string, readonly WireContent[]>,
  collection: string,
): LuidContentError {
  const groups = [...duplicates].map(
    ([id, items]) =>
      `${printable(JSON.stringify(id), 80)}: ${firstFew(items.map(nameOf), MOST_NAMES).join(', ')}`,
  );
  const [first] = [...duplicates.values()].flat();
  return new LuidContentError(
    `${collection}: ${counted(duplicates.size, 'id belongs', 'ids belong')} to several items:\n  ${firstFew(groups, MOST_DUPLICATES).join('\n  ')}`,
    {
      model: first?._model,
      id: first?._id,
      hint: 'Make the field unique, or choose another `id` for the loader.',
    },
  );
}

const MOST_DUPLICATES = 10;
const MOST_NAMES = 10;
