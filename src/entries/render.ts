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

const HEADING = /<h([1-6])\b([^>]*)>([\s\S]*?)<\/h\1\s*>/gi;
const ID = /\sid\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** Gives each heading of an HTML text an anchor, where it has none of its own. */
export function renderHtml(html: string): RenderedHtml {
  const headings: Heading[] = [];
  const used = new Set<string>();
  const anchored = html.replace(
    HEADING,
    (whole: string, level: string, attributes: string, inner: string) => {
      const text = plainText(inner).trim();
      const [, double, single, bare] = ID.exec(attributes) ?? [];
      const own = double ?? single ?? bare;
      const slug = own ?? unique(slugOf(text), used);
      used.add(slug);
      headings.push({ depth: Number(level), slug, text });
      return own === undefined ? `<h${level} id="${slug}"${attributes}>${inner}</h${level}>` : whole;
    },
  );
  return { html: anchored, metadata: { headings } };
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

function unique(slug: string, used: ReadonlySet<string>): string {
  let candidate = slug;
  for (let n = 1; used.has(candidate); n++) candidate = `${slug}-${n}`;
  return candidate;
}
