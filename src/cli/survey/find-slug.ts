import type { WireContent } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { ModelSample } from './sample-model.ts';
import type { SurveyClient } from './survey-client.ts';

/** In larger models, uniqueness is not checked and no slug is proposed. */
const MAX_ITEMS = 5_000;
/** Safe in URL paths and in file names, on every system. */
const SAFE_SLUG = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/;
/** The usual form of a slug; other text fields rarely have it in all items. */
const TYPICAL_SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const SLUG_NAME = /(^|_)(slug|permalink|handle)(_|$)/;

/** The items of a model in one language. */
export interface LanguageSample extends ModelSample {
  readonly lang: string | undefined;
}

/**
 * A field whose values can be entry ids: never empty, unique and safe in URLs, in every language. If the samples
 * are only part of the content, the field is read from all items.
 */
export async function findSlug(
  client: SurveyClient,
  model: string,
  samples: readonly LanguageSample[],
): Promise<string | undefined> {
  const [first] = samples[0]?.items ?? [];
  if (!first) return undefined;
  const fields = Object.keys(first).filter((luid) => !luid.startsWith('_'));
  const candidates = fields.filter((luid) => samples.every(({ items }) => isSlug(luid, items)));
  const named = candidates.filter((luid) => SLUG_NAME.test(luid));
  for (const luid of new Set([...named, ...candidates])) {
    if (await isSlugEverywhere(client, model, luid, samples)) return luid;
  }
  return undefined;
}

function isSlug(luid: string, items: readonly WireContent[]): boolean {
  const values = items.map((item) => (Object.hasOwn(item, luid) ? item[luid] : undefined));
  const isSafe = (value: unknown): value is string => typeof value === 'string' && SAFE_SLUG.test(value);
  if (!values.every(isSafe)) return false;
  // Some file systems are case-insensitive.
  if (new Set(values.map((value) => value.toLowerCase())).size < values.length) return false;
  if (SLUG_NAME.test(luid)) return true;
  return (
    values.length > 2 &&
    values.every((value) => TYPICAL_SLUG.test(value) && /[a-z]/.test(value)) &&
    values.some((value) => value.includes('-'))
  );
}

async function isSlugEverywhere(
  client: SurveyClient,
  model: string,
  luid: string,
  samples: readonly LanguageSample[],
): Promise<boolean> {
  for (const { lang, items, total } of samples) {
    if (items.length >= total) continue;
    if (total > MAX_ITEMS) return false;
    const query = {
      model,
      lang,
      select: `_id,${luid}`,
      order: '_created_at',
      depth: 0,
      limit: LIMITS.pageSize,
    };
    const offsets = Array.from(
      { length: Math.ceil(total / LIMITS.pageSize) },
      (_, page) => page * LIMITS.pageSize,
    );
    const pages = await Promise.all(offsets.map((offset) => client.list({ ...query, offset })));
    const all = new Map(pages.flatMap(({ data }) => data).map((item) => [item._id, item]));
    if (!isSlug(luid, [...all.values()])) return false;
  }
  return true;
}
