import { type Heading, renderHtml } from '../../../entries/render-html.ts';
import { ID_PREFIX } from '../../../entries/sanitize/id-prefix.ts';
import { LuidConfigError } from '../../../shared/errors.ts';
import { warnOnce } from '../warn-once.ts';
import { checkElementName } from './element-names.ts';
import { loadParser } from './load-parser.ts';
import { type RichNode, splitHtml } from './split-html.ts';

export type { RichNode } from './split-html.ts';

/** What `RichText` reads of an entry. */
export interface RenderedEntry {
  readonly id?: string;
  readonly rendered?:
    | { readonly html: string; readonly metadata?: { readonly [name: string]: unknown } | undefined }
    | undefined;
}

/** A text: an entry, whose body it is, or the HTML of a field. */
export interface TextSource {
  readonly entry?: RenderedEntry | undefined;
  readonly html?: string | null | undefined;
  /** The HTML is of a field with `sanitize`, so that the ids of headings get the prefix for untrusted text. */
  readonly sanitized?: boolean | undefined;
}

/** The text as `<Content />` renders it, split at the elements that are rendered by components. */
export async function splitText(source: TextSource, components: object): Promise<RichNode[]> {
  const names = Object.entries(components).flatMap(([name, component]) => (component ? name : []));
  for (const name of Object.keys(components)) checkElementName(name);
  const { html } = renderSource(source);
  const found = names.filter((name) => html.toLowerCase().includes(`<${name}`) || MAY_BE_IMPLIED.has(name));
  if (found.length === 0 || html === '') return [html];
  const nodes = splitHtml(await loadParser(), html, new Set(names));
  if (nodes) return nodes;
  const place = source.entry?.id === undefined ? '' : ` of ${source.entry.id}`;
  warnOnce(`RichText: the HTML${place} is too malformed for components, so it is rendered without them`);
  return [html];
}

/** Elements without a tag of that name: `<image>` is an `img`, and a table has a `tbody`. */
const MAY_BE_IMPLIED: ReadonlySet<string> = new Set(['colgroup', 'img', 'p', 'tbody', 'tr']);

/** The headings of a text, as `render(entry)` returns them. */
export function headingsOf(
  source: RenderedEntry | string,
  options: Pick<TextSource, 'sanitized'> = {},
): Heading[] {
  const text = typeof source === 'string' ? { html: source, ...options } : { entry: source };
  return renderSource(text).metadata.headings;
}

function renderSource({ entry, html, sanitized }: TextSource) {
  if (entry && html !== undefined) {
    throw new LuidConfigError('RichText has `entry` and `html`', {
      hint: 'Pass `entry` for its body, or `html` for another field.',
    });
  }
  if (!entry) return renderHtml(html ?? '', sanitized ? ID_PREFIX : '');
  const { rendered } = entry;
  const text = rendered?.html ?? '';
  const headings = rendered?.metadata?.headings as Heading[] | undefined;
  return { html: text, metadata: { headings: headings ?? renderHtml(text).metadata.headings } };
}
