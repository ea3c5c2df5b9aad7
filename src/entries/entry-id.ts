import type { WireContent } from '../contract/content.ts';
import { LuidContentError } from '../errors.ts';
import { printable } from '../printable.ts';
import { counted, firstFew, nameOf, SKIP_HINT } from './problems/content-errors.ts';

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
/** Longer names are refused by file systems. */
const LONGEST_SEGMENT = 255;

/** What of an id could lead out of the folder of its route, or cannot be part of a URL or a file name. */
function unsafePart(id: string): string | undefined {
  for (const form of decodedForms(id)) {
    const problem = unsafeForm(form);
    if (problem) return problem;
  }
  return undefined;
}

function unsafeForm(id: string): string | undefined {
  if (CONTROL.test(id)) return 'a control character';
  if (id.includes('\\')) return 'a backslash';
  if (!id.isWellFormed()) return 'half of a character';
  const segments = id.split('/');
  if (segments.includes('')) return 'an empty path segment';
  if (segments.some((segment) => segment === '.' || segment === '..')) return 'a "." or ".." path segment';
  const isLong = segments.some((segment) => new TextEncoder().encode(segment).length > LONGEST_SEGMENT);
  return isLong ? `a path segment of more than ${LONGEST_SEGMENT} bytes` : undefined;
}

/** The id, and what it becomes each time that Astro, a server or a browser decodes `%2e` and the like in it. */
function decodedForms(id: string): string[] {
  const forms = [id];
  for (let form = id; /%[\da-f]{2}/i.test(form) && forms.length <= MOST_DECODINGS; ) {
    form = form.replaceAll(/%([\da-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    forms.push(form);
  }
  return forms;
}

const MOST_DECODINGS = 5;
