import { SYSTEM_TIMES, type WireContent } from '../../contract/content.ts';
import { timeOf } from '../../contract/item-times.ts';
import { pluralize } from '../../shared/format-count.ts';
import type { Examined } from './examined.ts';
import { asAssumed, type Check, cannotBeSeen, differs, emulate } from './finding.ts';

/** §2.1: content last published before has no time of its last publication. */
const LAST_PUBLICATION_RECORDED_SINCE = Date.UTC(2025, 5, 26);
/** Fewer times may be whole seconds by chance. */
const MIN_TIMES = 3;
/** Of fewer drafts, an edit in the second of the publication may be the reason. */
const MIN_DRAFTS = 3;

const SILENT = 'Such a change is missed until the next full read, as `verify.maxAge` says.';

export const TIME_CHECKS: readonly Check[] = [
  {
    name: 'resolution of times',
    assumption: 'times are whole seconds',
    effect: 'None: the loader reads times of any resolution.',
    switches: ['timeResolution'],
    find({ api: { items } }) {
      const times = items
        .flatMap((item) => SYSTEM_TIMES.map((by) => timeOf(item, by)))
        .filter(Number.isFinite);
      const fractions = times.filter((time) => time % 1000 !== 0).length;
      const evidence = `${fractions} of ${times.length} times have fractions of a second`;
      if (fractions > 0) return differs(evidence, emulate('timeResolution', 'ms'));
      return times.length < MIN_TIMES ? cannotBeSeen(evidence) : asAssumed(evidence);
    },
  },
  {
    name: 'publishing',
    assumption: 'publishing changes `_updated_at`',
    effect: 'None: the loader compares `_last_published_at` too.',
    switches: ['publishTouchesUpdatedAt'],
    find(examined) {
      const items = publishedItems(examined);
      const earlier = items.filter((item) => updated(item) < lastPublished(item)).length;
      if (earlier > 0) {
        const evidence = `${pluralize(earlier, 'item')} of ${items.length} updated before the last publication`;
        return differs(evidence, emulate('publishTouchesUpdatedAt', false));
      }
      const later = items.filter(
        (item) => timeOf(item, '_created_at') < lastPublished(item) && updated(item) === lastPublished(item),
      ).length;
      const evidence = `${pluralize(later, 'item')} published after creation, and updated in that moment; none updated before`;
      return later > 0 ? asAssumed(evidence) : cannotBeSeen('no item published after its creation');
    },
  },
  {
    name: 'saving drafts',
    assumption: 'saving a draft changes `_updated_at`',
    effect: SILENT,
    switches: ['draftTouchesUpdatedAt'],
    find(examined) {
      const items = recordedItems(examined).filter(({ _status }) => _status === 'published_draft');
      const later = items.filter((item) => updated(item) > lastPublished(item)).length;
      const evidence = `${later} of ${pluralize(items.length, 'draft')} of published items updated after the publication`;
      if (later > 0) return asAssumed(evidence);
      if (items.length < MIN_DRAFTS) return cannotBeSeen(evidence);
      return differs(evidence, emulate('draftTouchesUpdatedAt', false));
    },
  },
  {
    name: 'unpublishing',
    assumption: 'unpublishing changes `_updated_at`',
    effect:
      'None with a key for published content. With one for drafts, the status is missed until the next full read.',
    switches: ['unpublishTouchesUpdatedAt'],
    find(examined) {
      const items = recordedItems(examined).filter(({ _status }) => _status === 'draft');
      const later = items.filter((item) => updated(item) > lastPublished(item)).length;
      const evidence = `${later} of ${pluralize(items.length, 'unpublished item')} updated after the last publication`;
      if (items.length < MIN_DRAFTS) return cannotBeSeen(evidence);
      if (later === 0) return differs(evidence, emulate('unpublishTouchesUpdatedAt', false));
      // Some may have been edited since.
      return later === items.length ? asAssumed(evidence) : cannotBeSeen(evidence);
    },
  },
  {
    name: 'other changes',
    assumption: 'discarding a draft restores `_updated_at`; the archive and alternative texts leave it alone',
    effect: 'None: what such a change moves is read again.',
    switches: [
      'discardUpdatedAt',
      'archiveTouchesUpdatedAt',
      'restoreTouchesUpdatedAt',
      'altTouchesUpdatedAt',
    ],
    find(examined) {
      const items = publishedItems(examined).filter(({ _status }) => _status === 'published');
      const later = items.filter((item) => updated(item) > lastPublished(item)).length;
      const evidence = `${later} of ${pluralize(items.length, 'item')} without a draft updated after the last publication`;
      // Without any, either no such change was made or it leaves the time alone.
      if (later === 0) return cannotBeSeen(evidence);
      const switches = [
        emulate('discardUpdatedAt', 'now'),
        'archiveTouchesUpdatedAt, restoreTouchesUpdatedAt or altTouchesUpdatedAt: true',
      ];
      return differs(evidence, switches.join(', '));
    },
  },
];

const updated = (item: WireContent) => timeOf(item, '_updated_at');
const lastPublished = (item: WireContent) => timeOf(item, '_last_published_at');

/** The items of both keys whose last publication is known. */
function recordedItems({ api, drafts }: Examined): WireContent[] {
  const items = new Map([...api.items, ...(drafts?.items ?? [])].map((item) => [item._id, item]));
  return [...items.values()].filter((item) => lastPublished(item) >= LAST_PUBLICATION_RECORDED_SINCE);
}

function publishedItems(examined: Examined): WireContent[] {
  return recordedItems(examined).filter(({ _status }) => _status !== 'draft');
}
