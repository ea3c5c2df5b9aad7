import { LIMITS } from '../../contract/limits.ts';
import { pluralize } from '../../shared/format-count.ts';
import type { KeySample } from './examined.ts';
import { asAssumed, type Check, cannotBeSeen, differs, emulate } from './finding.ts';

/** Reads the heads as a sync does: one fixed URL, which the CDN can keep. */
const HEADS = { depth: 0, limit: 100, order: '-_updated_at', select: '_id,_updated_at,_last_published_at' };
const MAX_SPACES = 5;
const MAX_RESPONSE = 5_000_000;

export const ACCESS_CHECKS: readonly Check[] = [
  {
    name: 'header',
    assumption: 'the key is accepted in the configured header',
    effect: 'Every request is a 401.',
    find: ({ api: { otherHeader } }) =>
      otherHeader === undefined
        ? asAssumed('the key is accepted in it')
        : differs('the key is accepted in another header', `LUID_API_KEY_HEADER=${otherHeader}`),
  },
  {
    name: 'key for published content',
    assumption: 'LUID_API_KEY does not read drafts',
    effect: 'Builds show drafts, and each request reaches the origin and counts.',
    find: ({ api }) =>
      countDrafts(api) > 0
        ? differs(`the key shows ${pluralize(countDrafts(api), 'unpublished item')}`, 'another LUID_API_KEY')
        : asAssumed(`no unpublished item among ${api.items.length}`),
  },
  {
    name: 'key for drafts',
    assumption: 'LUID_DRAFT_API_KEY reads drafts',
    effect: 'Previews show published content only.',
    find({ drafts }) {
      if (!drafts) return cannotBeSeen('there is no LUID_DRAFT_API_KEY');
      const count = countDrafts(drafts);
      if (count > 0) return asAssumed(`the key shows ${pluralize(count, 'unpublished item')}`);
      return cannotBeSeen(`no unpublished item among ${drafts.items.length}`);
    },
  },
  {
    name: 'sub-spaces',
    assumption: 'a list without `space` contains every space that the key may read',
    effect: 'Content of sub-spaces is missing: declare one space per sub-space, with `space`.',
    async find({ api: { reader, items, total } }) {
      const spaces = [...new Set(items.flatMap(({ _space }) => _space ?? []))];
      if (spaces.length === 0) return cannotBeSeen('no item has `_space`');
      let sum = 0;
      for (const space of spaces.slice(0, MAX_SPACES)) {
        sum += (await reader.probe({ space, limit: 1, depth: 0, select: '_id' })).list?.total ?? 0;
      }
      const evidence = `${pluralize(spaces.length, 'space')} seen with ${sum} items together, ${total} without \`space\``;
      if (sum > total) return differs(evidence, 'option: space in defineSpace');
      return sum === total ? asAssumed(evidence) : cannotBeSeen(evidence);
    },
  },
  {
    name: 'CDN',
    assumption: 'the second request for a URL comes from the CDN, and `x-cache` says so',
    effect: 'Requests count towards the rate limit; the loader is as correct as with it.',
    async find({ api }) {
      if (countDrafts(api) > 0) return cannotBeSeen('the key reads drafts, which are never cached');
      await api.reader.list(HEADS);
      await api.reader.list(HEADS);
      const headers = api.reader.seen.lastResponse?.headers;
      const cache = headers?.get('x-cache') ?? '';
      if (/\bhit\b/i.test(cache)) return asAssumed('`x-cache` of the second response is a hit');
      const others = ['age', 'cf-cache-status', 'x-served-by'].filter((name) => headers?.has(name));
      const seen = cache === '' ? 'no `x-cache`' : '`x-cache` without a hit';
      const more = others.length > 0 ? `, but ${others.join(' and ')}` : '';
      return differs(`the second response has ${seen}${more}`, 'emulator: cdn: false');
    },
  },
  {
    name: 'age of CDN copies',
    assumption: 'the CDN is purged by every change, at once',
    effect: 'A build with a cache may show the content before the change, until the purge.',
    switches: ['purgeDelay', 'purgeReach', 'mediaArchivePurges'],
    async find({ api: { reader } }) {
      const copy = await reader.list(HEADS);
      if (!/\bhit\b/i.test(reader.seen.lastResponse?.headers.get('x-cache') ?? '')) {
        return cannotBeSeen('no CDN answered for the list of the newest items');
      }
      const origin = await reader.list({ ...HEADS, ...(await reader.bypassCdn()) });
      if (JSON.stringify(copy.data) !== JSON.stringify(origin.data)) {
        const evidence = 'the copy of the list of the newest items is older than the origin';
        return differs(evidence, emulate('purgeDelay', 60_000));
      }
      return cannotBeSeen('the copy equals the origin: only a change would show how long a purge takes');
    },
  },
  {
    name: 'drafts and the CDN',
    assumption: 'responses to a key for drafts are never cached',
    effect: 'Previews may show an older draft.',
    async find({ drafts }) {
      if (!drafts || countDrafts(drafts) === 0) return cannotBeSeen('no key that shows drafts');
      await drafts.reader.list(HEADS);
      await drafts.reader.list(HEADS);
      const cache = drafts.reader.seen.lastResponse?.headers.get('x-cache') ?? '';
      if (/\bhit\b/i.test(cache)) return differs('`x-cache` of the second response is a hit');
      return asAssumed('the second response is not from the CDN');
    },
  },
  {
    name: 'size of responses',
    assumption: 'a page of 100 items is smaller than 5 MB',
    effect: 'None if responses are complete: a sync reads larger pages in parts, with more requests.',
    find({ api: { response, items, pageSize } }) {
      if (!response || items.length === 0) return cannotBeSeen('there is no content');
      if (pageSize < LIMITS.pageSize) return differs(`pages of 100 items fail, those of ${pageSize} do not`);
      const { bytes, milliseconds } = response;
      const evidence = `the newest ${Math.min(items.length, 100)} items are ${Math.ceil(bytes / 1000)} kB, read in ${Math.round(milliseconds)} ms`;
      return bytes < MAX_RESPONSE ? asAssumed(evidence) : differs(evidence);
    },
  },
  {
    name: 'page size',
    assumption: '`limit` is at most 100; more is a 400',
    effect: 'None: the loader requests pages of 100.',
    async find({ api: { reader } }) {
      const { status, list } = await reader.probe({ limit: 101, depth: 0, select: '_id' });
      if (status === 400) return asAssumed('`limit=101` is a 400');
      return differs(`\`limit=101\` is a ${status}${list ? ` with ${list.data.length} items` : ''}`);
    },
  },
  {
    name: 'rate limit',
    assumption: '600 reads per minute and key reach the origin',
    effect: 'Set `network.requestsPerMinute` to the limit.',
    find: () => cannotBeSeen('only exceeding it would show it'),
  },
  {
    name: 'trailing slash',
    assumption: '`/contents/` is the same as `/contents`',
    effect: 'None for the loader, which never sends it; hand-written requests may fail.',
    async find({ api: { reader } }) {
      const { status, list } = await reader.probe({ limit: 1, depth: 0, select: '_id' }, '/contents/');
      return list ? asAssumed('it is a list too') : differs(`it is a ${status}`);
    },
  },
  {
    name: 'writes',
    assumption: 'a POST accepts flexible text, a PATCH does not, and endpoints known by name are a 404',
    effect: 'None for the loader, which only reads.',
    switches: ['writeFlexibleText', 'patchFlexibleText', 'endpointsByName'],
    find: () => cannotBeSeen('only writing would show it'),
  },
];

/** Items of which nothing is published, which only a key for drafts shows. */
function countDrafts({ items }: Pick<KeySample, 'items'>): number {
  return items.filter(({ _status }) => _status === 'draft').length;
}
