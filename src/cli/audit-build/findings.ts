import type { WireContent } from '../../contract/content.ts';
import { printable } from '../../shared/printable.ts';
import type { Changes } from './changes.ts';
import type { SiteModel } from './site-content.ts';

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
  readonly lang?: string | undefined;
  /** The fields that the page shows and its key misses, if they are known. */
  readonly fields: readonly string[];
  /** What the key does not depend on: the whole collection, this entry of it, these fields, … */
  readonly missing: 'collection' | 'entry' | 'fields' | 'language' | 'members' | 'order';
}

/** The change of one build, and what a key misses that stays the same. */
export interface Round extends Pick<Finding, 'change' | 'lang' | 'missing'> {
  readonly model: SiteModel;
  readonly item: WireContent;
  /** Only these fields were changed. */
  readonly fields?: readonly string[];
  readonly changes: Changes;
}

/** What a build changes, for people who wait for it. */
export function describeRound({ change, model, item, fields, lang }: Round): string {
  const what = describeChange({ change, model: model.model, title: item._title, lang });
  return fields ? `${what}: ${fields.map((name) => printable(name)).join(', ')}` : what;
}

/** `/authors/mori/ stays old after article "x" changed: its key does not depend on …` */
export function describeFinding(finding: Finding): string {
  return `${printable(finding.page)} stays old after ${describeChange(finding)}: its key does not depend on ${describeMissing(finding)}${describeShown(finding)}`;
}

function describeChange({
  change,
  model,
  title,
  lang,
}: Pick<Finding, 'change' | 'model' | 'title' | 'lang'>): string {
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

/** All findings, each once. `depends` has the models that the key of a page depends on in any way. */
export function mergeFindings(
  findings: readonly Finding[],
  depends: ReadonlyMap<string, ReadonlySet<string>>,
): Finding[] {
  const same = ({ page, change, model, id, lang, missing }: Finding) =>
    JSON.stringify([page, change, model, missing, lang, change === 'changed' ? 0 : id]);
  return [...Map.groupBy(findings, same).values()].map((alike) => {
    const [first] = alike as [Finding];
    const { page, model, missing } = first;
    const isPartial = depends.get(page)?.has(model) || missing === 'fields' || missing === 'language';
    return {
      ...first,
      missing: isPartial ? missing : 'collection',
      fields: [...new Set(alike.flatMap(({ fields }) => fields))],
    };
  });
}
