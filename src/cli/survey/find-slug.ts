import type { WireContent } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { ModelSample } from './sample-model.ts';
import type { Service } from './survey-client.ts';

/** Items that are read to prove that a field is unique, at most. */
const MOST_ITEMS = 5_000;
/** Safe in a URL path and in a file name, on every system. */
const SAFE = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/;
/** The usual form of a slug, which other text fields hardly ever have in all items. */
const TYPICAL = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const NAMED_SO = /(^|_)(slug|permalink|handle)(_|$)/;

/** The items of a model in one language. */
export interface LanguageSample extends ModelSample {
  readonly lang: string | undefined;
}

/**
 * The field that can name the entries of a model: filled, unique and safe in a URL, in every language.
 * Where the samples are only a part of the content, the field is read from all items.
 */
export async function findSlug(
  service: Service,
  model: string,
  samples: readonly LanguageSample[],
): Promise<string | undefined> {
  const [first] = samples[0]?.items ?? [];
  if (!first) return undefined;
  const fields = Object.keys(first).filter((luid) => !luid.startsWith('_'));
  const couldBe = fields.filter((luid) => samples.every(({ items }) => isSlug(luid, items)));
  const named = couldBe.filter((luid) => NAMED_SO.test(luid));
  for (const luid of new Set([...named, ...couldBe])) {
    if (await isSlugEverywhere(service, model, luid, samples)) return luid;
  }
  return undefined;
}

function isSlug(luid: string, items: readonly WireContent[]): boolean {
  const values = items.map((item) => (Object.hasOwn(item, luid) ? item[luid] : undefined));
  const isSafe = (value: unknown): value is string => typeof value === 'string' && SAFE.test(value);
  if (!values.every(isSafe)) return false;
  // Some file systems do not tell cases apart.
  if (new Set(values.map((value) => value.toLowerCase())).size < values.length) return false;
  if (NAMED_SO.test(luid)) return true;
  return (
    values.length > 2 &&
    values.every((value) => TYPICAL.test(value) && /[a-z]/.test(value)) &&
    values.some((value) => value.includes('-'))
  );
}

async function isSlugEverywhere(
  service: Service,
  model: string,
  luid: string,
  samples: readonly LanguageSample[],
): Promise<boolean> {
  for (const { lang, items, total } of samples) {
    if (items.length >= total) continue;
    if (total > MOST_ITEMS) return false;
    if (!isSlug(luid, await readAll(service, { model, lang, luid, total }))) return false;
  }
  return true;
}

async function readAll(
  service: Service,
  { model, lang, luid, total }: { model: string; lang: string | undefined; luid: string; total: number },
): Promise<WireContent[]> {
  const pages = Array.from({ length: Math.ceil(total / LIMITS.pageSize) }, (_, page) =>
    service.list({
      model,
      lang,
      select: `_id,${luid}`,
      order: '_created_at',
      depth: 0,
      limit: LIMITS.pageSize,
      offset: page * LIMITS.pageSize,
    }),
  );
  const items = (await Promise.all(pages)).flatMap(({ data }) => data);
  return [...new Map(items.map((item) => [item._id, item])).values()];
}
