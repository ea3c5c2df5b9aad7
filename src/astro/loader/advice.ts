import type { WireContent } from '../../contract/content.ts';
import { unusableIdsError } from '../../entries/entry-id.ts';
import { itemsInEntries } from '../../entries/items-in-entries.ts';
import { skippedWarning } from '../../entries/problems/content-errors.ts';
import type { ContentWarning } from '../../entries/problems/content-warning.ts';
import { danglingWarnings, findDanglingReferences } from '../../entries/problems/dangling-references.ts';
import { describeItem } from '../../entries/problems/describe-item.ts';
import {
  findMissingFields,
  findUndeclaredFields,
  missingFieldsWarning,
  undeclaredFieldsWarning,
} from '../../entries/problems/field-mismatch.ts';
import type { InvalidItem } from '../../entries/problems/invalid-item.ts';
import { type Content, replicasOf } from '../../replica/content/content.ts';
import { pluralize } from '../../shared/format-count.ts';
import { itemsShownBy } from '../collection/view/affected-items.ts';
import type { CollectionView } from '../collection/view/collection-view.ts';
import type { BuildCollection } from './build-collection.ts';
import type { EntriesToMake } from './entries-to-make.ts';
import { DRAFTS_WARNING, USE_ANOTHER_KEY } from './shared-key.ts';
import type { Advice, Draft } from './stored-load.ts';

/**
 * What is known after a load. `before`: after the previous one; what is said there of affected items, and of those that no
 * entry shows any more, is replaced.
 */
export function findAdvice(
  collection: BuildCollection,
  content: Content,
  { view, entries, affected }: EntriesToMake,
  invalid: readonly InvalidItem[],
  before: Advice | undefined,
): Advice {
  const { space, settings, name } = collection;
  const { models } = space;
  const shown = itemsById(itemsInEntries(models, entries, settings.rule.depth));
  const kept = affected && before;
  const stillShown = kept && hasItems(kept) ? itemsShown(collection, content, view) : new Set<number>();
  const isKept = ({ item }: { readonly item: number }) =>
    affected?.has(item) === false && !shown.has(item) && stillShown.has(item);
  const isUndeclared = (id: number) => view.languages[0]?.isUndeclared(id) === true;
  const items = [...shown.values()];
  const missing = [...findMissingFields(models, items)];
  return {
    drafts: [...(kept?.drafts.filter(isKept) ?? []), ...(settings.drafts ? [] : items.flatMap(draftIn))],
    dangling: [
      ...(kept?.dangling.filter(isKept) ?? []),
      ...items.flatMap((item) => findDanglingReferences(models, item, isUndeclared)),
    ],
    undeclared: {
      ...kept?.undeclared,
      ...Object.fromEntries(findUndeclaredFields(models, items, kept?.undeclared)),
    },
    missing: {
      ...kept?.missing,
      ...Object.fromEntries(
        missing.map(([model, paths]) => [model, inBoth(paths, ownValue(kept?.missing, model))]),
      ),
    },
    skipped: [
      ...skippedWarning(name, [...view.invalid, ...invalid]),
      ...(view.withoutId.length > 0
        ? [
            `${name}: ${pluralize(view.withoutId.length, 'entry is', 'entries are')} skipped. ${unusableIdsError(view.withoutId, settings.rule.id, true).message}`,
          ]
        : []),
    ],
  };
}

function hasItems({ drafts, dangling }: Advice): boolean {
  return drafts.length + dangling.length > 0;
}

/** Content IDs of what all entries may show, found without reading it. */
function itemsShown({ settings }: BuildCollection, content: Content, view: CollectionView): Set<number> {
  const members = view.all.map(({ itemId }) => itemId);
  const listed = view.listed.flatMap((referrers) => Object.values(referrers).flat());
  const depth = Math.max(settings.rule.depth, ...settings.backlinks.map((rule) => rule.depth));
  return itemsShownBy(new Set([...members, ...listed]), replicasOf(content), depth);
}

/** Each item in the first of its languages. */
function itemsById(items: Iterable<WireContent>): Map<number, WireContent> {
  const byId = new Map<number, WireContent>();
  for (const item of items) if (!byId.has(item._id)) byId.set(item._id, item);
  return byId;
}

function draftIn(item: WireContent): Draft[] {
  // `published_draft` is not evidence: a key for published content sees it too, with the published data.
  const isDraft = item._status === 'draft' || item._published_at === null;
  return isDraft ? [{ item: item._id, name: describeItem(item) }] : [];
}

function ownValue<T>(record: Readonly<Record<string, T>> = {}, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A field is missing if it was before, and still is. */
function inBoth(paths: readonly string[], before = paths): readonly string[] {
  return paths.filter((path) => before.includes(path));
}

export function adviceLines({ name, space }: BuildCollection, advice: Advice): ContentWarning[] {
  const { strict = false, space: subSpace } = space.settings;
  return [
    ...Object.entries(advice.undeclared).map(([model, luids]) =>
      undeclaredFieldsWarning(model, luids, strict),
    ),
    ...Object.entries(advice.missing).flatMap(([model, paths]) => missingFieldsWarning(model, paths)),
    ...danglingWarnings(advice.dangling, subSpace !== undefined),
    ...draftsWarning(name, advice.drafts),
    ...advice.skipped.map((line) => ({ key: line, line })),
  ];
}

function draftsWarning(collection: string, drafts: readonly Draft[]): ContentWarning[] {
  const [first] = drafts;
  if (!first) return [];
  const line = `${collection} contains ${pluralize(drafts.length, 'draft')}, but its loader does not set \`drafts: true\` (example: ${first.name}): the key reads drafts. ${USE_ANOTHER_KEY}`;
  return [{ key: DRAFTS_WARNING, line }];
}
