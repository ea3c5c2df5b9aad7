import { createStorage } from 'unstorage';
import { afterEach, describe, expect, test } from 'vitest';
import { createEmulator, type Seed } from '../../../src/emulator/index.ts';
import { defineSpace, field } from '../../../src/index.ts';
import { closeSources } from './from-replica/live-site.ts';

afterEach(closeSources);

const models = {
  note: {
    name: field.text({ title: true }),
    next: field.reference('note'),
    any: field.reference(),
    seo: field.fieldSet({ note: field.reference('note') }),
    list: field.repeat({ note: field.reference('note') }),
    blocks: field.combination({ link: { note: field.reference() } }),
  },
} as const;

/** Refers to content in every place of a field. */
const refersTo = (name: string, ...[next, any, ...others]: number[]) => ({
  name,
  next,
  any,
  seo: { note: others[0] },
  list: others.map((note) => ({ note })),
  blocks: others.map((note) => ({ luid: 'link', fields: { note } })),
});

const BOTH = 11;
const JAPANESE = 12;
const ENGLISH = 13;
const FRENCH = 16;
const TARGETS = [BOTH, JAPANESE, ENGLISH, 14, 15, FRENCH];

/** What notes 1 to 4, each of which refers to the next one, refer to besides: content in all states and languages. */
const contents = [
  ...[1, 2, 3, 4].map((id) => ({
    id,
    published: {
      ja: refersTo(`${id}`, id + 1, JAPANESE, ...TARGETS),
      en: refersTo(`${id} en`, id + 1, JAPANESE, ...TARGETS),
    },
  })),
  { id: BOTH, published: { ja: { name: 'both' }, en: { name: 'both' } } },
  { id: JAPANESE, published: { ja: { name: 'Japanese' } } },
  { id: ENGLISH, published: { en: { name: 'English' } }, draft: { ja: { name: 'Japanese draft' } } },
  { id: 14, draft: { ja: { name: 'draft' } } },
  { id: 15, published: { ja: { name: 'published' } }, draft: { en: { name: 'English draft' } } },
  { id: FRENCH, published: { fr: { name: 'French' } } },
];

function openSpace() {
  const seed = {
    languages: { main: 'ja', sub: ['en', 'fr'] },
    keys: [
      { key: 'published', reads: 'published' },
      { key: 'drafts', reads: 'drafts' },
    ],
    models,
    contents: contents.map((content) => ({
      model: 'note',
      created_at: `2026-01-01T00:00:${content.id + 10}Z`,
      ...content,
    })),
  };
  const service = createEmulator(seed as unknown as Seed, { rateLimit: false });
  const spaceOf = (options: object) =>
    defineSpace({
      baseUrl: service.baseUrl,
      apiKey: 'published',
      draftApiKey: 'drafts',
      models,
      cache: { storage: createStorage() },
      fetch: service.fetch,
      ...options,
    });
  return { service, spaceOf, space: spaceOf({ languages: seed.languages }) };
}

/** What only the replica adds. */
const ADDED = { _lang: undefined, _fallback: undefined, _langs: undefined };

interface Options {
  readonly depth: 0 | 1 | 2 | 3;
  readonly drafts?: boolean;
  readonly lang?: string;
  readonly fallback?: boolean;
  readonly from?: 'service';
}

/** The loader of notes. Its types do not know which of the two kinds it is. */
function loaderOf({ space }: ReturnType<typeof openSpace>, given: Options) {
  return space.liveLoader('note', given as { depth: 0 });
}

/** As JSON. These references, which accept any model, are empty. */
function plain(entries: unknown, emptied: readonly unknown[] = []): unknown {
  const text = JSON.stringify(entries, (key, value: unknown) =>
    key === 'note' && emptied.includes(value) ? null : value,
  );
  return JSON.parse(text);
}

/** What a replica cannot tell from content of undeclared models, without languages: it exists in others only. */
const elsewhere = ({ lang, drafts }: Options) =>
  lang === undefined ? (drafts ? [FRENCH] : [ENGLISH, FRENCH]) : [];

const options: Options[] = ([0, 1, 2, 3] as const).flatMap((depth) =>
  [false, true].flatMap((drafts) => [
    { depth, drafts },
    { depth, drafts, lang: 'en' },
    { depth, drafts, lang: 'en', fallback: true },
  ]),
);

describe('references lead to the same content from the service as from the replica', () => {
  test.each(options)('%j', async (given) => {
    const opened = openSpace();
    const shownFrom = async (more: { from?: 'service' }) => {
      const loader = loaderOf(opened, { ...given, ...more });
      const list = await loader.loadCollection({ collection: 'notes', filter: { order: '_created_at' } });
      const first = await loader.loadEntry({ collection: 'notes', filter: { id: '1' } });
      if ('error' in list || !first || 'error' in first) throw new Error(JSON.stringify([list, first]));
      return [first, ...list.entries].map(({ id, data }) => ({ id, ...data, ...ADDED }));
    };
    expect(plain(await shownFrom({ from: 'service' }))).toEqual(plain(await shownFrom({}), elsewhere(given)));
  });
});

test('a filter by content without the language matches as little as in the replica', async () => {
  const opened = openSpace();
  const idsFrom = async (more: { from?: 'service' }) => {
    const loader = loaderOf(opened, { depth: 0, lang: 'en', ...more });
    const where = { any: { eq: JAPANESE } };
    const list = await loader.loadCollection({ collection: 'notes', filter: { where } });
    if ('error' in list) throw list.error;
    return list.entries.map(({ id }) => id);
  };
  expect([await idsFrom({ from: 'service' }), await idsFrom({})]).toEqual([[], []]);
});

describe('the references of a page are looked up', () => {
  const requestsOf = async (id: string, languages: object) => {
    const { service, spaceOf } = openSpace();
    const loader = spaceOf(languages).liveLoader('note', { from: 'service', depth: 0 });
    expect(await loader.loadEntry({ collection: 'notes', filter: { id } })).toHaveProperty('id', id);
    return service.log.map(({ query }) => new URLSearchParams(query).get('_id[in]'));
  };
  const LANGUAGES = { languages: { main: 'ja', sub: ['en'] } };

  test('in one request, each once', async () => {
    expect(await requestsOf('1', LANGUAGES)).toEqual([null, '2,11,12,13,15,16']);
  });

  test('not if there are none', async () => {
    expect(await requestsOf(`${BOTH}`, LANGUAGES)).toEqual([null]);
  });

  test('not in a space without languages', async () => {
    expect(await requestsOf('1', {})).toEqual([null]);
  });
});
