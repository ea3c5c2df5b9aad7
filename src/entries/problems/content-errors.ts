import type { WireContent } from '../../contract/content.ts';
import { LuidContentError } from '../../shared/errors.ts';
import { limitList, pluralize } from '../../shared/format-count.ts';
import { printable } from '../../shared/printable.ts';
import { describeItem, describeModel, type ItemIdentity } from './describe-item.ts';
import { type InvalidItem, rootCauses } from './invalid-item.ts';
import { likelyCause } from './likely-cause.ts';
import { skippedBecause } from './skipped-because.ts';

/** For errors about entries that are not skipped yet. */
export const SKIP_HINT = ' Set `onInvalid: "skip"` to skip such entries.';

const MAX_EXAMPLES = 3;
const MAX_FIELDS = 20;
const MAX_DUPLICATE_IDS = 10;
const MAX_ITEMS_PER_ID = 10;
const MAX_MESSAGE_LENGTH = 300;
const MAX_PATH_LENGTH = 120;
const MAX_ID_LENGTH = 80;

/** The problems of one field of a model, in all items. */
interface InvalidField {
  readonly owner: ItemIdentity;
  readonly field: string;
  /** Content id → the first problem of that item. */
  readonly items: Map<number, string>;
  readonly values: unknown[];
  /** The first problem's message. */
  readonly message: string;
}

/**
 * One error for all items that cannot be shown, grouped by field: a mistake in the model map is one group, however many
 * items it affects. `skips`: they are skipped, so the hint does not suggest it, and those that are skipped because of
 * others are counted.
 */
export function invalidContentError(found: readonly InvalidItem[], skips = false): LuidContentError {
  const fields = new Map<string, InvalidField>();
  const ids = new Set<number>();
  const causes = rootCauses(found);
  for (const { data, issues } of causes) {
    for (const issue of issues) {
      const { owner, path, value } = findOwner(data, issue.path);
      const field = formatPath(path);
      const key = `${owner._model} ${field.replaceAll(/\[\d+\]/g, '[]')}`;
      const invalid: InvalidField = fields.get(key) ?? {
        owner,
        field,
        items: new Map(),
        values: [],
        message: issue.message,
      };
      fields.set(key, invalid);
      ids.add(owner._id);
      invalid.values.push(value);
      if (!invalid.items.has(owner._id))
        invalid.items.set(owner._id, formatItem(owner, field, issue.message));
    }
  }
  const [first] = fields.values();
  const groups = [...fields.values()].map(formatField);
  const others = skips ? skippedBecause(found).map((line) => `\n  ${line}`) : [];
  const count = pluralize(ids.size, 'item');
  const areTooLarge = causes.length > 0 && causes.every(({ isTooLarge }) => isTooLarge);
  const problem = areTooLarge
    ? `${count} ${ids.size === 1 ? 'embeds' : 'embed'} too much content`
    : `${count} ${ids.size === 1 ? 'does' : 'do'} not match the declared models`;
  return new LuidContentError(`${problem}:\n${joinGroups(groups)}${others.join('')}`, {
    model: first?.owner._model,
    id: first?.owner._id,
    field: first?.field || undefined,
    hint: `${areTooLarge ? SIZE_HINT : MODEL_HINT}${skips ? '' : SKIP_HINT}`,
  });
}

/** About the entries of a collection that `onInvalid: 'skip'` skips; none if there are none. */
export function skippedWarning(collection: string, invalid: readonly InvalidItem[]): string[] {
  if (invalid.length === 0) return [];
  const count = pluralize(invalid.length, 'entry is', 'entries are');
  return [`${collection}: ${count} skipped. ${invalidContentError(invalid, true).message}`];
}

const MODEL_HINT = 'Run `npx luid check` to compare the models with the content.';
const SIZE_HINT =
  'Lower the `depth` of the loader, omit the field from its `fields`, turn it into links with `references`, or raise `maxEmbedded`.';

function joinGroups(groups: readonly string[]): string {
  const hidden = groups.length - MAX_FIELDS;
  const rest = hidden > 0 ? [`  and ${hidden} more fields`] : [];
  return [...groups.slice(0, MAX_FIELDS), ...rest].join('\n');
}

function formatField({ owner, field, items, values, message }: InvalidField): string {
  const name = [describeModel(owner._model), ...(field ? [field.replaceAll(/\[\d+\]/g, '[]')] : [])].join(
    '.',
  );
  const cause = likelyCause(values, message);
  const lines = limitList([...items.values()], MAX_EXAMPLES);
  return [
    `  ${name}: ${pluralize(items.size, 'item')}${cause ? ` (${cause})` : ''}`,
    ...lines.map((line) => `    ${line}`),
  ].join('\n');
}

function formatItem(owner: ItemIdentity, field: string, message: string): string {
  // The heading of the group has the path without indexes.
  const path = /\[\d+\]/.test(field) ? ` ${field}` : '';
  return `${describeItem(owner)}${path}: ${printable(message, MAX_MESSAGE_LENGTH)}`;
}

/** The item that a problem belongs to: the innermost content on the path, which may be embedded. */
function findOwner(
  data: WireContent,
  path: readonly PropertyKey[],
): { owner: ItemIdentity; path: readonly PropertyKey[]; value: unknown } {
  let owner: ItemIdentity = data;
  let rest = path;
  let value: unknown = data;
  for (const [index, key] of path.entries()) {
    value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
    if (!isContent(value)) continue;
    // Content at the end of the path is the field's value itself, of another model than declared.
    if (index === path.length - 1) break;
    owner = value;
    rest = path.slice(index + 1);
  }
  return { owner, path: rest, value: path.length === 0 ? undefined : value };
}

function isContent(value: unknown): value is ItemIdentity {
  const { _id, _model } = (value ?? {}) as Partial<ItemIdentity>;
  return typeof _id === 'number' && typeof _model === 'string';
}

/** `sections[2].fields.image` */
function formatPath(path: readonly PropertyKey[]): string {
  const joined = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return printable(joined.replace(/^\./, ''), MAX_PATH_LENGTH);
}

/** One error for all ids that several items share. */
export function duplicateIdsError(
  duplicates: ReadonlyMap<string, readonly WireContent[]>,
  collection: string,
): LuidContentError {
  const groups = [...duplicates].map(
    ([id, items]) =>
      `${printable(JSON.stringify(id), MAX_ID_LENGTH)}: ${limitList(items.map(describeItem), MAX_ITEMS_PER_ID).join(', ')}`,
  );
  const [first] = [...duplicates.values()].flat();
  return new LuidContentError(
    `${collection}: ${pluralize(duplicates.size, 'id is', 'ids are')} used by several items:\n  ${limitList(groups, MAX_DUPLICATE_IDS).join('\n  ')}`,
    {
      model: first?._model,
      id: first?._id,
      hint: 'Make the field unique, or choose another `id` for the loader.',
    },
  );
}
