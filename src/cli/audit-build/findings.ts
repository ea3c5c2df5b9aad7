import { printable } from '../../printable.ts';

/** What was done to the content. */
export type ChangeKind = 'changed' | 'renamed' | 'translated' | 'added' | 'removed' | 'reordered';

/** A page that an incremental build leaves as it was, although it shows something that changed. */
export interface Finding {
  readonly page: string;
  /** The file of its route. */
  readonly route: string;
  readonly change: ChangeKind;
  readonly model: string;
  /** The collections of the model; none if its content is only shown by entries of others. */
  readonly collections: readonly string[];
  /** The content ID and title of the item that was changed. */
  readonly id: number;
  readonly title: string;
  /** The language that was changed, of `translated`. */
  readonly lang?: string;
  /** The fields that the page shows and its key misses, if they are known. */
  readonly fields: readonly string[];
  /** What the key does not depend on: the whole collection, this entry of it, these fields, … */
  readonly missing: 'collection' | 'entry' | 'fields' | 'language' | 'members' | 'order';
}

/** `/authors/mori/ stays old after article "x" changed: its key does not depend on …` */
export function describeFinding(finding: Finding): string {
  return `${printable(finding.page)} stays old after ${describeChange(finding)}: its key does not depend on ${describeMissing(finding)}${describeShown(finding)}`;
}

function describeChange({ change, model, title, lang }: Finding): string {
  const item = `${printable(model)} ${printable(JSON.stringify(title), 60)}`;
  switch (change) {
    case 'changed':
      return `${item} changed`;
    case 'renamed':
      return `${item} got another slug`;
    case 'translated':
      return `${item} changed in ${printable(lang ?? '')}`;
    case 'added':
      return `a copy of ${item} was added`;
    case 'removed':
      return `${item} was removed`;
    case 'reordered':
      return `${item} changed its place in the order`;
  }
}

function describeMissing({ missing, collections, model, fields, lang }: Finding): string {
  const where =
    collections.length === 0
      ? `content of the model ${printable(model)}`
      : `collection ${collections.map((name) => printable(name)).join(' or ')}`;
  switch (missing) {
    case 'collection':
      return where;
    case 'entry':
      return `this entry of ${where}`;
    case 'fields':
      return `${fields.map((name) => printable(name)).join(', ')} of ${where}`;
    case 'language':
      return `the language ${printable(lang ?? '')} of ${where}`;
    case 'members':
      return `which entries ${where} has`;
    case 'order':
      return `the order of ${where}`;
  }
}

function describeShown({ missing, fields, change }: Finding): string {
  if (missing === 'fields' || fields.length === 0) return '';
  const shown = fields.map((name) => printable(name)).join(', ');
  return ` (the page shows its ${change === 'renamed' ? `URL, from ${shown}` : shown})`;
}

/** What to do about findings of a route. */
export function describeFix({ collections, fields, missing }: Finding): string {
  const entries = printable(collections[0] ?? 'entries');
  const named =
    fields.length > 0 ? `, { fields: [${fields.map((name) => `'${printable(name)}'`).join(', ')}] }` : '';
  switch (missing) {
    case 'entry':
      return `Pass the entry to cacheKey(…), or load the collection of the page with enough depth.`;
    case 'language':
      return `Add collectionKey(…${named}) of the entries in that language to the page's cacheKey.`;
    case 'order':
      return `Sort the entries before you pass them to collectionKey(${entries}).`;
    default:
      return `Add collectionKey(${entries}${named}), of the entries that the page lists, to its cacheKey.`;
  }
}

/** All findings, each once. `depends` says on which models the key of a page depends in any way. */
export function mergeFindings(
  findings: readonly Finding[],
  depends: ReadonlyMap<string, ReadonlySet<string>>,
): Finding[] {
  const merged = new Map<string, Finding>();
  for (const found of findings) {
    const { page, change, model, id, lang, missing } = found;
    const dependsOnModel = depends.get(page)?.has(model) === true;
    const key = JSON.stringify([page, change, model, missing, lang, change === 'changed' ? 0 : id]);
    const known = merged.get(key);
    merged.set(key, {
      ...(known ?? found),
      missing: dependsOnModel || missing === 'fields' || missing === 'language' ? missing : 'collection',
      fields: [...new Set([...(known?.fields ?? []), ...found.fields])],
    });
  }
  return [...merged.values()];
}
