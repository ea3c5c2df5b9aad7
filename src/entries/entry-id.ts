import type { WireContent } from '../contract/content.ts';
import { LuidContentError } from '../shared/errors.ts';
import { limitList, pluralize } from '../shared/format-count.ts';
import { printable } from '../shared/printable.ts';
import { SKIP_HINT } from './problems/content-errors.ts';
import { describeItem } from './problems/describe-item.ts';

/** Where entry ids come from: the content id (`undefined`), a field, or a function. */
export type EntryIdRule = string | ((item: WireContent) => string | number) | undefined;

/** The id of an entry, or why it is not usable. */
export type EntryIdResult = { readonly id: string } | { readonly problem: string };

/**
 * The id of an entry, for builds and live pages alike. Astro does not check the path that an id leads to,
 * so an id must not leave the folder of its route.
 */
export function entryId(item: WireContent, rule: EntryIdRule, lang?: string | undefined): EntryIdResult {
  const value = idValue(item, rule);
  const isId = (typeof value === 'string' && value !== '') || Number.isFinite(value);
  if (!isId) return { problem: `has no id: ${sourceOf(rule)} is ${formatValue(value)}` };
  const unsafe = findUnsafePart(String(value));
  if (unsafe) return { problem: `has an id with ${unsafe}: ${sourceOf(rule)} is ${formatValue(value)}` };
  return { id: lang === undefined ? String(value) : `${lang}/${value}` };
}

export interface ItemWithoutId {
  readonly item: WireContent;
  readonly problem: string;
}

const MAX_LISTED_ITEMS = 10;

/** One error for all items without a usable id. `skips`: they are skipped, so the hint does not suggest it. */
export function unusableIdsError(
  found: readonly ItemWithoutId[],
  rule: EntryIdRule,
  skips = false,
): LuidContentError {
  // An item may be without one in several languages.
  const lines = [...new Set(found.map(({ item, problem }) => `${describeItem(item)} ${problem}`))];
  const [first] = found;
  const message =
    lines.length === 1
      ? lines[0]
      : `${pluralize(lines.length, 'item')} have no usable id:\n  ${limitList(lines, MAX_LISTED_ITEMS).join('\n  ')}`;
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

const MAX_VALUE_LENGTH = 80;

function formatValue(value: unknown): string {
  // In JSON, NaN is null.
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return printable(text, MAX_VALUE_LENGTH);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a path must not contain these
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
/** Most ids: one segment of characters that are safe everywhere. */
const PLAIN = /^[\w-]{1,255}$/;
/** The limit of most file systems, in bytes. */
const MAX_SEGMENT_BYTES = 255;

/** The part of an id that could leave the folder of its route, or cannot be in a URL or a file name. */
function findUnsafePart(id: string): string | undefined {
  if (PLAIN.test(id)) return undefined;
  for (const form of decodedForms(id)) {
    const problem = findUnsafePartIn(form);
    if (problem) return problem;
  }
  return undefined;
}

function findUnsafePartIn(id: string): string | undefined {
  if (CONTROL.test(id)) return 'a control character';
  if (id.includes('\\')) return 'a backslash';
  if (!id.isWellFormed()) return 'a lone surrogate';
  const segments = id.split('/');
  if (segments.includes('')) return 'an empty path segment';
  if (segments.some((segment) => segment === '.' || segment === '..')) return 'a "." or ".." path segment';
  // No character of a string takes more than three bytes.
  const isLong = segments.some(
    (segment) =>
      3 * segment.length > MAX_SEGMENT_BYTES && new TextEncoder().encode(segment).length > MAX_SEGMENT_BYTES,
  );
  return isLong ? `a path segment of more than ${MAX_SEGMENT_BYTES} bytes` : undefined;
}

/** The id, and the id after each time that Astro, a server or a browser may percent-decode it. */
function decodedForms(id: string): string[] {
  const forms = [id];
  for (let form = id; /%[\da-f]{2}/i.test(form) && forms.length <= MAX_DECODINGS; ) {
    form = form.replaceAll(/(?:%[\da-f]{2})+/gi, percentDecode);
    forms.push(form);
  }
  return forms;
}

/** As UTF-8, or byte by byte if that is not valid. */
function percentDecode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded.replaceAll(/%(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
}

const MAX_DECODINGS = 5;
