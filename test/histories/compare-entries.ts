import { isDeepStrictEqual } from 'node:util';
import type { Allowed, UndeclaredReferences } from './allowed-differences.ts';
import { IdOrEmpty, type Json, NOT_COMPARED } from './expected-entries.ts';

export interface Comparison {
  /** Each difference that is not allowed, as a line. */
  readonly differences: string[];
  /** Whether an item was missing or should not exist, and that was allowed. */
  usedMoved: boolean;
}

/** Compares the entries of a collection with what they must be. */
export function compareEntries(
  name: string,
  expected: ReadonlyMap<string, Json>,
  actual: ReadonlyMap<string, { readonly data: Json }>,
  allowed: Allowed,
  undeclared: UndeclaredReferences = NO_UNDECLARED,
): Comparison {
  const comparison: Comparison = { differences: [], usedMoved: false };
  const compare = new Compare(allowed, undeclared, comparison);
  for (const [id, data] of expected) {
    const found = actual.get(id)?.data;
    const place = `${name} ${id}`;
    if (!found) compare.missing(data._id as number, `${place}: missing`);
    else compare.item(data, found, place);
  }
  for (const [id, { data }] of actual) {
    if (!expected.has(id)) compare.missing(data._id as number, `${name} ${id}: should not exist`);
  }
  return comparison;
}

const NO_UNDECLARED: UndeclaredReferences = { mayBeId: () => false, mayBeEmpty: () => false };

class Compare {
  readonly #allowed: Allowed;
  readonly #undeclared: UndeclaredReferences;
  readonly #comparison: Comparison;

  constructor(allowed: Allowed, undeclared: UndeclaredReferences, comparison: Comparison) {
    this.#allowed = allowed;
    this.#undeclared = undeclared;
    this.#comparison = comparison;
  }

  missing(id: number, line: string): void {
    if (this.#allowed.items.has(id)) return;
    if (this.#allowed.moved.has(id)) this.#comparison.usedMoved = true;
    else this.#comparison.differences.push(line);
  }

  item(expected: Json, actual: Json, place: string): void {
    const id = expected._id as number;
    if (this.#allowed.items.has(id)) return;
    if (this.#allowed.moved.has(id) && isOtherLanguage(expected, actual)) {
      this.#comparison.usedMoved = true;
      return;
    }
    const ignored = this.#allowed.status.has(id) ? ['_status', '_updated_at'] : [];
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      if (ignored.includes(name)) continue;
      const values = [own(expected, name), own(actual, name)];
      // It may be missing in one language and not in another.
      if (name === '_langs' && this.#allowed.moved.has(id) && !isDeepStrictEqual(values[0], values[1]))
        this.#comparison.usedMoved = true;
      else this.#value(values[0], values[1], `${place}.${name}`);
    }
  }

  #value(expected: unknown, actual: unknown, place: string): void {
    if (expected === NOT_COMPARED || Object.is(expected, actual)) return;
    if (expected instanceof IdOrEmpty) {
      const { id } = expected;
      const isAllowed = isContent(actual) && actual._id === id && this.#isAllowed(id, actual);
      if (actual !== id && actual !== null && !isAllowed) this.#differ(id, actual, place);
      return;
    }
    if (expected instanceof Date && actual instanceof Date) {
      if (expected.getTime() !== actual.getTime()) this.#differ(expected, actual, place);
      return;
    }
    if (isContent(expected) && isContent(actual) && expected._id === actual._id) {
      this.item(expected, actual, place);
      return;
    }
    if (expected === null && typeof actual === 'number' && this.#undeclared.mayBeId(actual)) return;
    if (typeof expected === 'number' && actual === null && this.#undeclared.mayBeEmpty(expected)) return;
    if (this.#isAllowed(expected, actual)) return;
    if (Array.isArray(expected) && Array.isArray(actual)) {
      if (expected.length !== actual.length) this.#differ(expected, actual, place);
      else
        for (const [index, one] of expected.entries()) this.#value(one, actual[index], `${place}[${index}]`);
      return;
    }
    if (!isPlain(expected) || !isPlain(actual)) {
      this.#differ(expected, actual, place);
      return;
    }
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      this.#value(own(expected, name), own(actual, name), `${place}.${name}`);
    }
  }

  /** A media or a reference on either side that may be wrong. */
  #isAllowed(expected: unknown, actual: unknown): boolean {
    const { media, items, moved } = this.#allowed;
    const sides = [expected, actual];
    const mediaIds = sides.flatMap((side) => (isPlain(side) ? mediaId(side.url) : []));
    if (mediaIds.length > 0) return mediaIds.every((id) => media.has(id)) && sides.every(isMediaOrEmpty);
    const ids = sides.flatMap((side) => (isContent(side) ? side._id : typeof side === 'number' ? side : []));
    if (ids.some((id) => items.has(id))) return true;
    if (!ids.some((id) => moved.has(id))) return false;
    this.#comparison.usedMoved = true;
    return true;
  }

  #differ(expected: unknown, actual: unknown, place: string): void {
    this.#comparison.differences.push(`${place}: expected ${show(expected)}, got ${show(actual)}`);
  }
}

/** Whether an item is missing in one language, so that another one is shown in its place. */
function isOtherLanguage(expected: Json, actual: Json): boolean {
  return expected._title !== actual._title;
}

function isPlain(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function isContent(value: unknown): value is Json & { _id: number } {
  return isPlain(value) && typeof value._id === 'number';
}

function mediaId(url: unknown): number | [] {
  const [, id] = /\/assets\/(\d+)\//.exec(String(url)) ?? [];
  return id === undefined ? [] : Number(id);
}

function isMediaOrEmpty(value: unknown): boolean {
  return value === null || (isPlain(value) && typeof value.url === 'string');
}

function own(value: Json, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function show(value: unknown): string {
  if (isContent(value)) return `content ${value._id} (${String(value._title).slice(0, 30)})`;
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
