import { getContent } from '../../client/endpoints/content-requests.ts';
import type { ContentWarning } from '../../entries/problems/content-warning.ts';
import type { Replica } from '../../replica/replica.ts';
import { hashOf } from '../../replica/store/segments/segments.ts';
import { openStorage } from '../../replica/store/storage.ts';
import { printable } from '../../shared/printable.ts';
import type { RunningSpace } from '../../space/space.ts';

/**
 * A warning if the space declares another main language than the service has: entries of one language would
 * contain data of another. Lists do not name the language of their data, so one item is read by its id
 * (§2.2, `_langs`), once: the result is cached.
 */
export async function mainLanguageWarnings(
  space: RunningSpace,
  drafts: boolean,
  /** Of the main language. */
  replica: Replica,
  cacheDir: string,
): Promise<ContentWarning[]> {
  const declared = space.settings.languages?.main;
  if (declared === undefined) return [];
  const actual = await space.runtime.mainLanguage(() => detectMainLanguage(space, drafts, replica, cacheDir));
  if (actual === undefined || actual === declared) return [];
  return [
    {
      key: 'main language',
      line:
        `languages.main is ${JSON.stringify(declared)}, but the main language of the space is ${printable(JSON.stringify(actual), 40)}: ` +
        `entries of ${JSON.stringify(declared)} contain ${printable(actual, 40)} data. ` +
        `Correct \`languages\` in defineSpace(), or run \`npx luid check\``,
    },
  ];
}

async function detectMainLanguage(
  space: RunningSpace,
  drafts: boolean,
  replica: Replica,
  cacheDir: string,
): Promise<string | undefined> {
  const connect = space.connect({ drafts });
  const { cache = {}, space: subSpace } = space.settings;
  const storage = cache === false ? undefined : openStorage(cache, cacheDir);
  try {
    const { baseUrl, apiKey } = await connect();
    const key = `main-language-${hashOf(JSON.stringify([baseUrl, hashOf(apiKey), subSpace ?? null])).slice(0, 40)}`;
    const stored: unknown = await storage?.getItem(key);
    if (typeof stored === 'string') return stored;
    if (replica.isFromCache) return undefined;
    const id = (await replica.prepare()).allSegments()[0]?.ids()[0];
    if (id === undefined) return undefined;
    const budget = { retriesLeft: 0 };
    const { _langs } = await getContent(connect, id, { depth: 0, include: '_langs' }, { budget });
    const current: unknown = _langs?.current;
    if (typeof current !== 'string') return undefined;
    await storage?.setItem(key, current);
    return current;
  } catch {
    // Only a check: errors of the service and the cache are reported where these are needed.
    return undefined;
  }
}
