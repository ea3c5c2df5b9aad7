import { canonicalJson } from '../../models/canonical-json.ts';
import type { Values } from '../../models/field-types/field-type.ts';
import { type BackupItem, STATES, type State } from '../backup/backup-item.ts';
import { comparableLinks, mediaKeys, READABLE_LINKS, withLinks } from '../backup/comparable.ts';
import { type MatchBy, matchItems } from '../backup/match-items.ts';
import { type Side, slugOf, titleOf } from '../backup/side.ts';

/** An item that differs, in its own words: references as titles and slugs. */
export interface ItemDifference {
  readonly what: 'added' | 'removed' | 'changed';
  readonly model: string;
  /** In A; in B if it is only there. */
  readonly id: number;
  /** In B, if it has another one there. */
  readonly otherId?: number;
  readonly title: string;
  readonly slug?: string;
  readonly fields: readonly FieldDifference[];
}

export interface FieldDifference {
  readonly lang: string;
  readonly state: State;
  /** Absent: all of the language. */
  readonly field?: string;
  /** Absent: empty. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What differs between two sides in the models, languages and states that both have, by the ids of A. */
export async function compareSides(a: Side, b: Side, by: MatchBy): Promise<ItemDifference[]> {
  const [one, other] = inCommon(a, b);
  const keys = await mediaKeys(one, other);
  const links = comparableLinks(
    by,
    new Map([
      [one, keys[0]],
      [other, keys[1]],
    ]),
  );
  const matches = matchItems(one, other, by);
  const matched = new Set(matches.values());
  const found: ItemDifference[] = [];
  for (const item of one.items.values()) {
    const match = other.items.get(matches.get(item.id) ?? 0);
    if (!match) {
      found.push({ what: 'removed', ...headOf(one, item), fields: [] });
      continue;
    }
    const fields = compareItems({ side: one, item }, { side: other, item: match }, links);
    if (fields.length === 0) continue;
    const otherId = match.id === item.id ? {} : { otherId: match.id };
    found.push({ what: 'changed', ...headOf(one, item), ...otherId, fields });
  }
  for (const item of other.items.values()) {
    if (!matched.has(item.id)) found.push({ what: 'added', ...headOf(other, item), fields: [] });
  }
  return found.sort((x, y) => (x.model === y.model ? x.id - y.id : x.model < y.model ? -1 : 1));
}

function headOf(side: Side, item: BackupItem) {
  const slug = slugOf(side, item);
  return { model: item.model, id: item.id, title: titleOf(side, item), ...(slug && { slug }) };
}

/** Both sides without what only one of them was asked for. */
function inCommon(a: Side, b: Side): [Side, Side] {
  const hasDrafts = a.hasDrafts && b.hasDrafts;
  const languages = a.languages.filter((lang) => b.languages.includes(lang));
  const restrict = (side: Side): Side => {
    const items = [...side.items.values()].flatMap((item) => {
      if (!Object.hasOwn(a.models, item.model) || !Object.hasOwn(b.models, item.model)) return [];
      const [published, draft] = [item.published, hasDrafts ? item.draft : undefined].map(
        (data) => data && only(data, languages),
      );
      if (!published && !draft) return [];
      return [[item.id, { ...item, published, draft }] as const];
    });
    return { ...side, languages, items: new Map(items) };
  };
  return [restrict(a), restrict(b)];
}

function only(data: NonNullable<BackupItem['draft']>, languages: readonly string[]) {
  const kept = Object.entries(data).filter(([lang]) => languages.includes(lang));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

interface Sided {
  readonly side: Side;
  readonly item: BackupItem;
}

/** The fields of an item that differ, with their values for people. */
function compareItems(
  a: Sided,
  b: Sided,
  links: Parameters<typeof withLinks>[4],
): readonly FieldDifference[] {
  const differences: FieldDifference[] = [];
  for (const state of STATES) {
    for (const lang of a.side.languages) {
      const [was, is] = [a.item[state]?.[lang], b.item[state]?.[lang]];
      if (!was && !is) continue;
      const place = { lang, state };
      if (!was || !is) {
        differences.push({ ...place, ...(was && { before: was }), ...(is && { after: is }) });
        continue;
      }
      const before = withLinks(a.side, a.item, lang, was, links);
      const after = withLinks(b.side, b.item, lang, is, links);
      const changed = changedFields(before, after);
      if (changed.length === 0) continue;
      const [shownBefore, shownAfter] = [a, b].map(({ side, item }, index) =>
        withLinks(side, item, lang, (index === 0 ? was : is) as Values, READABLE_LINKS),
      );
      for (const field of changed) {
        const [from, to] = [own(shownBefore, field), own(shownAfter, field)];
        differences.push({
          ...place,
          field,
          ...(from !== undefined && { before: from }),
          ...(to !== undefined && { after: to }),
        });
      }
    }
  }
  return differences;
}

/** The fields that differ between two groups of values, by LUID. */
export function changedFields(before: Values, after: Values): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => canonicalJson(own(before, name)) !== canonicalJson(own(after, name)));
}

export function own(values: Values | undefined, name: string): unknown {
  return values && Object.hasOwn(values, name) ? values[name] : undefined;
}
