import { mapTags, type Tag } from './map-tags.ts';

/** §2.2: the prefix of the extra attributes of portable HTML. */
const ATTRIBUTE_PREFIX = 'data-service-';
/** The attribute with the kind of an element. */
const KIND_ATTRIBUTE = 'data-service-ftelm';

const KINDS: ReadonlyMap<string, string> = new Map([
  ['p', 'paragraph'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, 'heading'] as const),
  ['ul', 'list'],
  ['ol', 'list'],
  ['blockquote', 'quote'],
  ['pre', 'code'],
  ['table', 'table'],
  ['figure', 'image'],
  ['img', 'image'],
  ['hr', 'rule'],
  ['iframe', 'embed'],
]);

/** Converts portable HTML to plain HTML. */
export function stripPortableAttributes(html: string): string {
  if (!hasPortableAttributes(html)) return html;
  return mapTags(html, ({ text, attributes }) => {
    let plain = '';
    let end = 0;
    for (const { name, from, to } of attributes) {
      if (!name.startsWith(ATTRIBUTE_PREFIX)) continue;
      plain += text.slice(end, from).trimEnd();
      end = to;
    }
    return plain + text.slice(end);
  });
}

/** A quick check that may be true for HTML without such attributes. Most HTML has none. */
export function hasPortableAttributes(html: string): boolean {
  return /data-service-/i.test(html);
}

/** Converts to portable HTML: adds the kind attribute to top-level elements without one. */
export function toPortableHtml(html: string): string {
  return mapTags(html, (tag) => {
    if (tag.depth > 0 || tag.attributes.some(({ name }) => name === KIND_ATTRIBUTE)) return tag.text;
    return addKind(tag);
  });
}

function addKind({ text, name }: Tag): string {
  const nameEnd = 1 + name.length;
  return `${text.slice(0, nameEnd)} ${KIND_ATTRIBUTE}="${KINDS.get(name) ?? 'element'}"${text.slice(nameEnd)}`;
}
