import { scanTags } from '../../models/text/scan-tags.ts';

/** An opening tag. */
export interface Tag {
  /** The source, from `<` to `>`. */
  readonly text: string;
  /** In lower case. */
  readonly name: string;
  readonly attributes: readonly Attribute[];
  /** The number of elements around it. */
  readonly depth: number;
}

/** An attribute with its value, as a range of the tag's `text`. */
export interface Attribute {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

/**
 * Replaces each opening tag of HTML by the result of `change` and leaves everything else unchanged. Takes linear
 * time, even for invalid HTML.
 */
export function mapTags(html: string, change: (tag: Tag) => string): string {
  const open = new OpenElements();
  let result = '';
  let done = 0;
  for (const { name, start, end, attributes } of scanTags(html)) {
    if (name.startsWith('/')) {
      open.close(name.slice(1));
      continue;
    }
    const text = html.slice(start, end);
    const inTag = attributes.map(({ name, from, to }) => ({ name, from: from - start, to: to - start }));
    result += html.slice(done, start) + change({ text, name, attributes: inTag, depth: open.depth });
    done = end;
    if (!VOID_ELEMENTS.has(name) && !text.endsWith('/>')) open.open(name);
  }
  return result + html.slice(done);
}

class OpenElements {
  readonly #names: string[] = [];
  readonly #counts = new Map<string, number>();

  get depth(): number {
    return this.#names.length;
  }

  open(name: string): void {
    this.#names.push(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Closes an element and all that are open in it. Ignores a tag without an open element. */
  close(name: string): void {
    if (!this.#counts.get(name)) return;
    for (let last = this.#names.pop(); last !== undefined; last = this.#names.pop()) {
      this.#counts.set(last, (this.#counts.get(last) ?? 0) - 1);
      if (last === name) return;
    }
  }
}
