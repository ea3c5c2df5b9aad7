import type { WireContent } from '../contract/content.ts';
import { LuidContentError } from '../errors.ts';
import { printable } from '../printable.ts';
import { counted, firstFew, nameOf, SKIP_HINT } from './report.ts';

/** How a collection names its entries: by the content id, by a field, or by a function. */
export type EntryIdRule = string | ((item: WireContent) => string | number) | undefined;

/** The id of an entry, or why the item cannot have the one that the rule gives it. */
export type NamedId = { readonly id: string } | { readonly problem: string };

/**
 * Decides on the id of every entry, of builds and live pages alike. Astro writes a page to where its id
 * leads, unchecked, so an id must stay below the route's own folder.
 */
export function entryId(item: WireContent, rule: EntryIdRule, lang?: string | undefined): NamedId {
  const value = idValue(item, rule);
  const isId = (typeof value === 'string' && value !== '') || typeof value === 'number';
  if (!isId) return { problem: `has no id: ${sourceOf(rule)} is ${shown(value)}` };
  const unsafe = unsafePart(String(value));
  if (unsafe) return { problem: `has an id with ${unsafe}: ${sourceOf(rule)} is ${shown(value)}` };
  return { id: lang === undefined ? String(value) : `${lang}/${value}` };
}

/** An item that has no usable id. */
export interface Unnamed {
  readonly item: WireContent;
  readonly problem: string;
}

const MOST_NAMED = 10;

/** One error for all items that have no usable id. */
export function unusableIds(found: readonly Unnamed[], rule: EntryIdRule, skips = false): LuidContentError {
  const lines = found.map(({ item, problem }) => `${nameOf(item)} ${problem}`);
  const [first] = found;
  const message =
    lines.length === 1
      ? lines[0]
      : `${counted(lines.length, 'item')} have no usable id:\n  ${firstFew(lines, MOST_NAMED).join('\n  ')}`;
  return new LuidContentError(message ?? '', {
    model: first?.item._model,
    id: first?.item._id,
    field: typeof rule === 'string' ? rule : undefined,
    hint: `Correct the entry, or choose another \`id\` for the loader.${skips ? '' : SKIP_HINT}`,
  });
}

function idValue(item: WireContent, rule: EntryIdRule): unknown {
  if (typeof rule === 'function') return rule(item);
  return Object.hasOwn(item, rule ?? '_id') ? item[rule ?? '_id'] : undefined;
}

function sourceOf(rule: EntryIdRule): string {
  return typeof rule === 'string' ? `the field ${rule}` : 'the result of the `id` function';
}

function shown(value: unknown): string {
  return printable(JSON.stringify(value) ?? String(value), 80);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no path may hold
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
/** `.` and `..`, also as `%2e`, which URLs read as the same. */
const DOTS = /^(?:\.|%2e){1,2}$/i;

/** Slashes and backslashes, also as a server may decode them. */
const SEPARATORS = /\/|%2f|%5c/i;

/** What of an id could lead out of the folder of its route, or cannot be part of a URL or a file name. */
function unsafePart(id: string): string | undefined {
  if (CONTROL.test(id)) return 'a control character';
  if (id.includes('\\')) return 'a backslash';
  if (!id.isWellFormed()) return 'half of a character';
  const segments = id.split(SEPARATORS);
  if (segments.includes('')) return 'an empty path segment';
  if (segments.some((segment) => DOTS.test(segment))) return 'a "." or ".." path segment';
  return undefined;
}
