import { plainText } from '../models/text/plain-text.ts';
import { scanTags, type Tag } from '../models/text/scan-tags.ts';

/** A heading, as in the result of Astro's `render()`. */
export interface Heading {
  depth: number;
  slug: string;
  text: string;
}

export interface RenderedHtml {
  html: string;
  metadata: { headings: Heading[] };
}

const HEADING = /^h[1-6]$/;
const MAY_HAVE_HEADINGS = /<h[1-6]/i;

/** Adds an `id` to each heading that has none or an empty one, unique in the HTML, and lists all headings. */
export function renderHtml(html: string, idPrefix = ''): RenderedHtml {
  if (!MAY_HAVE_HEADINGS.test(html)) return { html, metadata: { headings: [] } };
  const headings: Heading[] = [];
  const tags = [...scanTags(html)];
  const slugs = new UniqueSlugs(tags.flatMap((tag) => idOf(tag)?.value ?? []));
  let result = '';
  let copiedTo = 0;
  let open: Tag | undefined;
  for (const tag of tags) {
    if (HEADING.test(tag.name)) open ??= tag;
    if (!open || tag.name !== `/${open.name}`) continue;
    const text = plainText(html.slice(open.end, tag.start)).trim();
    const own = idOf(open);
    const slug = own?.value.trim() ? own.value : slugs.add(`${idPrefix}${toSlug(text)}`);
    headings.push({ depth: Number(open.name.slice(1)), slug, text });
    if (slug !== own?.value) {
      result += `${html.slice(copiedTo, own?.from ?? open.nameEnd)}${own ? '' : ' '}id="${slug}"`;
      copiedTo = own?.to ?? open.nameEnd;
    }
    open = undefined;
  }
  return { html: result + html.slice(copiedTo), metadata: { headings } };
}

function idOf({ attributes }: Tag): Tag['attributes'][number] | undefined {
  return attributes.find(({ name }) => name === 'id');
}

/** Letters and digits of every script, with dashes for spaces. */
export function toSlug(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
      .replaceAll(/\s+/g, '-') || 'section'
  );
}

class UniqueSlugs {
  readonly #used: Set<string>;
  /** Slug → the number to try next, so that many equal headings take linear time. */
  readonly #next = new Map<string, number>();

  constructor(used: readonly string[]) {
    this.#used = new Set(used);
  }

  /** Returns the slug, with a number if it is in use. */
  add(slug: string): string {
    let candidate = slug;
    let n = this.#next.get(slug) ?? 1;
    while (this.#used.has(candidate)) candidate = `${slug}-${n++}`;
    this.#next.set(slug, n);
    this.#used.add(candidate);
    return candidate;
  }
}
