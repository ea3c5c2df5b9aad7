import { getContent } from '../../client/endpoints/contents.ts';
import type { WireContent } from '../../contract/content.ts';
import type { ContentWarning } from '../../entries/problems/content-warning.ts';
import { printable } from '../../printable.ts';
import { hashOf } from '../../replica/store/segments.ts';
import { openStorage } from '../../replica/store/storage.ts';
import type { SpaceCore } from '../../space/space.ts';

export interface MainLanguageRequest {
  readonly space: SpaceCore;
  readonly drafts: boolean;
  readonly cacheDir: string;
  /** Use only the cached result. */
  readonly offline: boolean;
  /** Items in the main language. */
  readonly items: () => Promise<ReadonlyMap<number, WireContent>>;
}

/**
 * Whether the space declares another main language than the service has, so that entries of one language
 * hold data of another. Lists do not say which language their data is in, so one item is read by its id
 * (§2.2, `_langs`): once, since the result is kept in the cache.
 */
export async function mainLanguageFindings(request: MainLanguageRequest): Promise<ContentWarning[]> {
  const declared = request.space.settings.languages?.main;
  if (declared === undefined) return [];
  const actual = await mainLanguage(request);
  if (actual === undefined || actual === declared) return [];
  return [
    {
      key: 'main language',
      line:
        `languages.main is ${JSON.stringify(declared)}, but the main language of the space is ${printable(JSON.stringify(actual), 40)}: ` +
        `entries of ${JSON.stringify(declared)} hold ${printable(actual, 40)} data. ` +
        `Correct \`languages\` in defineSpace(), or run \`npx luid check\``,
    },
  ];
}

/** What is known of each space in this process. */
const known = new WeakMap<object, Promise<string | undefined>>();

function mainLanguage(request: MainLanguageRequest): Promise<string | undefined> {
  const found = known.get(request.space) ?? find(request);
  known.set(request.space, found);
  // What could not be found out now may be found out later.
  void found.then((language) => language === undefined && known.delete(request.space));
  return found;
}

async function find(request: MainLanguageRequest): Promise<string | undefined> {
  const { space, drafts, cacheDir, offline, items } = request;
  const connect = space.connect({ drafts });
  const { cache = {}, space: subSpace } = space.settings;
  const storage = cache === false ? undefined : openStorage(cache, cacheDir);
  try {
    const { baseUrl, apiKey } = await connect();
    const key = `main-language-${hashOf(JSON.stringify([baseUrl, hashOf(apiKey), subSpace ?? null])).slice(0, 40)}`;
    const stored: unknown = await storage?.getItem(key);
    if (typeof stored === 'string') return stored;
    const [id] = offline ? [] : (await items()).keys();
    if (id === undefined) return undefined;
    const budget = { retriesLeft: 0 };
    const { _langs } = await getContent(connect, id, { depth: 0, include: '_langs' }, { budget });
    const current: unknown = _langs?.current;
    if (typeof current !== 'string') return undefined;
    await storage?.setItem(key, current);
    return current;
  } catch {
    // Only a check: what is wrong with the service or the cache is reported where they are needed.
    return undefined;
  }
}
