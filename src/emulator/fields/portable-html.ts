import { mapTags, type Tag } from './html-tags.ts';

/** §2.2: the attributes that portable HTML has beyond HTML begin like this. */
const MARK = 'data-service-';
/** The one that names the kind of an element. */
const KIND = 'data-service-ftelm';

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

/** Plain HTML: without the marks of portable HTML. */
export function withoutMarks(html: string): string {
  if (!hasMarks(html)) return html;
  return mapTags(html, ({ text, attributes }) => {
    let plain = '';
    let end = 0;
    for (const { name, from, to } of attributes) {
      if (!name.startsWith(MARK)) continue;
      plain += text.slice(end, from).trimEnd();
      end = to;
    }
    return plain + text.slice(end);
  });
}

/** Whether there may be marks, told quickly: most HTML has none. */
export function hasMarks(html: string): boolean {
  return /data-service-/i.test(html);
}

/** Portable HTML: every element that stands in no other says its kind. Those that do already stay as they are. */
export function portable(html: string): string {
  return mapTags(html, (tag) => {
    if (tag.depth > 0 || tag.attributes.some(({ name }) => name === KIND)) return tag.text;
    return mark(tag);
  });
}

function mark({ text, name }: Tag): string {
  const nameEnd = 1 + name.length;
  return `${text.slice(0, nameEnd)} ${KIND}="${KINDS.get(name) ?? 'element'}"${text.slice(nameEnd)}`;
}
