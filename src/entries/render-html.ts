import { type Tag, tagsOf } from '../images/scan-tags.ts';
import { plainText } from '../models/plain-text.ts';

/** A heading, as Astro's `render()` gives it. */
export interface Heading {
  depth: number;
  slug: string;
  text: string;
}

/** HTML whose headings have anchors, and what they are. */
export interface RenderedHtml {
  html: string;
  metadata: { headings: Heading[] };
}

const HEADING = /^h[1-6]$/;

/** Gives each heading of an HTML text an anchor, where it has none of its own; with a prefix, if there is one. */
export function renderHtml(html: string, idPrefix = ''): RenderedHtml {
  const headings: Heading[] = [];
  const slugs = slugger();
  let anchored = '';
  let done = 0;
  let open: Tag | undefined;
  for (const tag of tagsOf(html)) {
    if (HEADING.test(tag.name)) open ??= tag;
    if (!open || tag.name !== `/${open.name}`) continue;
    const text = plainText(html.slice(open.end, tag.start)).trim();
    const own = open.attributes.find(({ name }) => name === 'id')?.value;
    const slug = own ?? slugs.unique(`${idPrefix}${slugOf(text)}`);
    slugs.take(slug);
    headings.push({ depth: Number(open.name.slice(1)), slug, text });
    if (own === undefined) {
      anchored += `${html.slice(done, open.content)} id="${slug}"`;
      done = open.content;
    }
    open = undefined;
  }
  return { html: anchored + html.slice(done), metadata: { headings } };
}

/** Letters and digits of every script, with dashes for spaces. */
function slugOf(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
      .replaceAll(/\s+/g, '-') || 'section'
  );
}

/** Gives slugs that differ: the same one again has a number, which is where the next one goes on. */
function slugger() {
  const used = new Set<string>();
  const next = new Map<string, number>();
  return {
    take: (slug: string) => used.add(slug),
    unique(slug: string): string {
      let candidate = slug;
      let n = next.get(slug) ?? 1;
      while (used.has(candidate)) candidate = `${slug}-${n++}`;
      next.set(slug, n);
      return candidate;
    },
  };
}
