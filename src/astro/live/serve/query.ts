import type { WireContent } from '../../../contract/content.ts';
import { DEFAULT_ORDER } from '../../../contract/parameters.ts';
import { type Conditions, compileFilter } from '../../../entries/query/filter.ts';
import { fieldTypeOf } from '../../../models/field-types/index.ts';
import { fieldsOf } from '../../../models/fields-of.ts';
import type { ModelMap } from '../../../models/types.ts';
import { mapValues } from '../../../models/walk.ts';
import { cacheItems } from '../../collection/view/cache-items.ts';
import type { Collection } from '../../collection/view/collection.ts';
import type { CollectionView } from '../../collection/view/collection-view.ts';
import type { ContentMember } from '../../collection/view/find-members.ts';
import { firstName, rowShape } from '../../collection/view/item-rows.ts';
import { createTimeSlices } from '../../collection/view/time-slices.ts';

/** A filter of `getLiveCollection`, or of `getLiveEntry` without an id. */
export interface LiveQuery {
  readonly where?: Conditions | undefined;
  readonly order?: string | readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly contains?: string | readonly string[] | undefined;
  /** One language of a collection with several. */
  readonly lang?: string | undefined;
}

/** Members between two looks at the clock. */
const STEP = 500;

/** The members that match, in order. Exact: everything is evaluated here. */
export async function selectMembers(
  { space, settings }: Collection,
  view: CollectionView,
  query: LiveQuery,
  place: string,
): Promise<ContentMember[]> {
  const { where = {}, order = DEFAULT_ORDER, limit = Number.POSITIVE_INFINITY, offset = 0, lang } = query;
  const matches = compileFilter(space.models, settings.model, where, place);
  const hasWords = compileContains(space.models, query.contains);
  const shape = rowShape(space.models, settings.model, Object.keys(where).map(firstName));
  const languages = view.languages.map(cacheItems);
  const slice = createTimeSlices();
  const found: ContentMember[] = [];
  let seen = 0;
  for (const member of await view.sorted(order)) {
    if (found.length >= offset + limit) break;
    if (++seen % STEP === 0) await slice();
    const languageItems = languages[member.language] as (typeof languages)[number];
    if (lang !== undefined && languageItems.lang !== lang) continue;
    if (!matches(view.row(member, shape), languageItems)) continue;
    if (hasWords && !hasWords(member.segment.get(member.index))) continue;
    found.push(member);
  }
  return found.slice(offset);
}

/** §4.1: every word occurs in some text field, at any depth. */
function compileContains(models: ModelMap, words: LiveQuery['contains'] = []) {
  const list = (typeof words === 'string' ? words.split(',') : words)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');
  if (list.length === 0) return undefined;
  return (item: WireContent): boolean => {
    const texts: string[] = [];
    mapValues(fieldsOf(models, item._model), item, ({ field, value }) => {
      const { operators, plainText } = fieldTypeOf(field);
      if (operators.includes('contains')) {
        texts.push((plainText?.(field, value) ?? String(value)).toLowerCase());
      }
      return value;
    });
    return list.every((word) => texts.some((text) => text.includes(word)));
  };
}
