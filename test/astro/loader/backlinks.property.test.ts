import { expect, test } from 'vitest';
import type { WireContent } from '../../../src/contract/content.ts';
import type { Emulator } from '../../../src/emulator/index.ts';
import { AstroStore } from '../../histories/astro-store.ts';
import { chooseBacklinks, createService, edit, openSpace, refer } from '../../support/random-content.ts';
import { randomRuns } from '../../support/random-runs.ts';
import { type SeededRandom, seededRandom } from '../../support/seeded-random.ts';

const RUNS = randomRuns(20);
const SEED = Number(process.env.LUID_SEED ?? 20_261_121);

interface List {
  readonly from: string;
  readonly by: string;
  readonly where?: Readonly<Record<string, { readonly contains?: string; readonly eq?: boolean }>>;
  readonly order?: string | readonly string[];
  readonly limit?: number;
  readonly depth?: number;
}

test(`backlinks are those that a join of the service’s responses finds, in ${RUNS} random graphs`, {
  timeout: 3_600_000,
}, async () => {
  console.log(`LUID_SEED=${SEED} LUID_RUNS=${RUNS} runs these again`);
  const counts = { lists: 0, referrers: 0, cut: 0, tied: 0 };
  for (let run = 0; run < RUNS; run++) await compare(seededRandom(`${SEED} ${run}`), `run ${run}`, counts);
  console.log(JSON.stringify(counts));
  // Otherwise this would compare empty lists.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(RUNS / 10);
});

async function compare(random: SeededRandom, name: string, counts: Record<string, number>) {
  const pick = <T>(values: readonly T[]) => values[random(values.length)] as T;
  const service = createService(random);
  const model = pick(['author', 'author', 'article', 'note'] as const);
  const languages = pick([
    {},
    { lang: 'en' },
    { lang: 'en', fallback: true },
    { langs: ['ja', 'en', 'fr'] },
    { langs: ['fr', 'ja'], fallback: true },
  ]) as { lang?: string; langs?: string[]; fallback?: boolean };
  const drafts = random(3) === 0;
  let chosen = {} as { backlinks?: Record<string, List> };
  while (!chosen.backlinks) chosen = chooseBacklinks(random, model) as typeof chosen;
  for (const list of Object.values(chosen.backlinks)) {
    for (let n = 25; n > 0; n--) refer(service, random, model, list as never);
  }
  for (let n = 15; n > 0; n--) edit(service, random);
  const options = { ...languages, ...chosen, drafts, depth: random(2) };
  const entries = await load(service, model, options);
  for (const lang of languages.langs ?? [languages.lang]) {
    const items = await listAll(service, drafts ? 'drafts' : 'published', lang, languages.fallback);
    const own = entries.filter(({ data }) => data._lang === lang);
    const message = `${name}: ${model} ${lang} ${JSON.stringify(options)}`;
    expect(own.map(({ data }) => data._id).sort(byNumber), message).toEqual(
      [...items.values()]
        .filter(({ _model }) => _model === model)
        .map(({ _id }) => _id)
        .sort(byNumber),
    );
    for (const { data } of own) {
      for (const [field, list] of Object.entries(chosen.backlinks)) {
        const all = referrersOf(data._id, list, items);
        const wanted = all.slice(0, list.limit);
        const found = data[field] as WireContent[];
        expect(
          found.map(({ _id }) => _id),
          `${message}: ${field} of ${data._id}`,
        ).toEqual(wanted.map(({ _id }) => _id));
        expect(found.map(({ _title }) => _title)).toEqual(wanted.map(({ _title }) => _title));
        counts.lists = (counts.lists ?? 0) + 1;
        counts.referrers = (counts.referrers ?? 0) + wanted.length;
        counts.cut = (counts.cut ?? 0) + Number(all.length > wanted.length);
        const keys = new Set(all.map((item) => JSON.stringify(termsOf(list).map(([luid]) => item[luid]))));
        counts.tied = (counts.tied ?? 0) + Number(keys.size < all.length);
      }
    }
  }
}

const byNumber = (a: number, b: number) => a - b;

/** The join: written from what the options mean, without any code of the loader. */
function referrersOf(target: number, list: List, items: ReadonlyMap<number, WireContent>): WireContent[] {
  return [...items.values()]
    .filter((item) => item._model === list.from)
    .filter((item) => idsAt(item, list.by.split('.')).includes(target))
    .filter((item) =>
      Object.entries(list.where ?? {}).every(([path, { contains, eq }]) => {
        const [luid = '', inner] = path.split('.');
        const value = inner === undefined ? item[luid] : items.get(item[luid] as number)?.[inner];
        return eq === undefined
          ? String(value ?? '').includes(String(contains)) && hasValue(value)
          : value === eq;
      }),
    )
    .sort((a, b) => {
      for (const [luid, sign] of termsOf(list)) {
        const [one, other] = [keyOf(a[luid]), keyOf(b[luid])];
        if (one === other) continue;
        if (!hasValue(one) || !hasValue(other)) return (hasValue(one) ? -1 : 1) * sign;
        return (one < other ? -1 : 1) * sign;
      }
      return a._id - b._id;
    });
}

const hasValue = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

/** Times of equal length and format sort as strings. */
const keyOf = (value: unknown) =>
  value === '' ? undefined : ((value as string | undefined | null) ?? undefined);

function termsOf({ order = '-_created_at' }: List): [luid: string, sign: number][] {
  return [order].flat().map((term) => (term.startsWith('-') ? [term.slice(1), -1] : [term, 1]));
}

/** Every number at a path, through lists and blocks. */
function idsAt(value: unknown, path: readonly string[]): number[] {
  if (Array.isArray(value)) return value.flatMap((one) => idsAt(one, path));
  if (path.length === 0) return typeof value === 'number' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  const [first = '', ...rest] = path;
  if ('luid' in value && 'fields' in value) return value.luid === first ? idsAt(value.fields, rest) : [];
  return idsAt((value as Record<string, unknown>)[first], rest);
}

async function listAll(service: Emulator, key: string, lang: string | undefined, fallback = false) {
  const items = new Map<number, WireContent>();
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const language = lang === undefined ? '' : `&lang=${lang}${fallback ? '&lang_fallback=true' : ''}`;
    const url = `${service.baseUrl}/contents?model=author,article,note,event&depth=0&order=_id&offset=${offset}${language}`;
    const response = await service.fetch(url, {
      headers: { 'X-SERVICE-API-KEY': key, 'x-luid-pop': `join-${Math.random()}` },
    });
    const page = (await response.json()) as { data: WireContent[]; total: number };
    for (const item of page.data) items.set(item._id, item);
    total = page.total;
  }
  return items;
}

async function load(service: Emulator, model: string, options: object) {
  const space = openSpace(service, { cache: false });
  const store = new AstroStore();
  await space.loader(model as never, options as never).load(store.context('things', () => {}));
  return [...store.entries('things').values()] as {
    id: string;
    data: Record<string, unknown> & WireContent & { _lang?: string };
  }[];
}
