import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { field } from '../../src/index.ts';
import { type Edit, findWrongBuilds, type Scenario } from './hide-and-show.ts';
import { MODELS, notes, published } from './loader-site.ts';

export const AUTHOR = 1;
export const ARTICLE = 50;

/** Two groups: the author is requested in one format, the articles in another. */
const TWO_FORMATS = {
  author: { name: field.text({ title: true }), body: field.flexibleText() },
  article: {
    title: field.text({ title: true }),
    body: field.flexibleText({ format: 'markdown' }),
    author: field.reference('author'),
  },
  note: { title: field.text({ title: true }) },
};

export const TYPED = {
  author: { name: field.text({ title: true }) },
  article: { title: field.text({ title: true }), author: field.reference('author') },
  note: { title: field.text({ title: true }) },
};

const HANA = published('author', AUTHOR, { name: 'Hana' });
const ARTICLE_BY_HANA = published('article', ARTICLE, { title: 'a', author: AUTHOR });
const ARTICLE_BY_NOBODY = published('article', ARTICLE, { title: 'a' });

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => published('article', 2001 + n, { title: `a${n}` }));

function editNotes(service: Emulator, count: number): void {
  for (let n = 0; n < count; n++) {
    service.clock.advance(1000);
    service.contents.edit(1001 + n, { title: `edited ${service.clock.now()}` });
  }
}

const ENGLISH_BY_HANA = published(
  'article',
  ARTICLE,
  { title: 'a', author: AUTHOR },
  { en: { title: 'b', author: AUTHOR } },
);

function englishNotes(count: number) {
  return Array.from({ length: count }, (_, n) =>
    published('note', 1001 + n, { title: 'n' }, { en: { title: 'n' } }),
  );
}

/** More edits follow than the heads contain. */
function editEnglish({ clock, contents }: Emulator): void {
  contents.edit(ARTICLE, { title: 'edited' }, { lang: 'en' });
  for (let n = 0; n < 120; n++) {
    clock.advance(1000);
    contents.edit(1001 + n, { title: `edited ${n}` }, { lang: 'en' });
  }
}

type Situation = Omit<Scenario, 'hide' | 'show'>;

/** An author is hidden and shown again in each of these. */
const OF_AN_AUTHOR: Record<string, Situation> = {
  'while its referrers are read again because it was published': {
    contents: [
      { id: AUTHOR, model: 'author', draft: { ja: { name: 'Hana' } } },
      published('author', 2, { name: 'Aki' }),
      ARTICLE_BY_HANA,
      ...notes(110),
    ],
    models: TYPED,
    before: ({ contents }) => contents.publish(AUTHOR),
  },
  'while a difference of counts is searched for': {
    contents: [HANA, ...many(320), ARTICLE_BY_HANA, ...notes(120)],
    models: TYPED,
    before: ({ contents }) => contents.archive(2300),
  },
  'while a referrer that was restored is searched for': {
    contents: [HANA, ...many(320), { ...ARTICLE_BY_HANA, archived: true }, ...notes(120)],
    models: TYPED,
    before: ({ contents }) => contents.restore(ARTICLE),
  },
  'while referrers of one second are read on their own': {
    contents: [
      HANA,
      ...Array.from({ length: 250 }, (_, n) => ({
        ...published('article', 2001 + n, { title: 'a', author: AUTHOR }),
        created_at: '2026-01-01T00:00:01Z',
      })),
      ...notes(120),
    ],
    models: TYPED,
    isCold: true,
    lengths: [3],
  },
  'while everything is read, in another format than its referrer': {
    contents: [HANA, ARTICLE_BY_HANA, ...notes(120)],
    models: TWO_FORMATS,
    isCold: true,
  },
  'while everything is read, in another format than more referrers than are read twice at once': {
    contents: [
      HANA,
      ...Array.from({ length: 320 }, (_, n) =>
        published('article', 2001 + n, { title: `a${n}`, ...(n % 50 === 0 && { author: AUTHOR }) }),
      ),
      ...notes(20),
    ],
    models: TWO_FORMATS,
    isCold: true,
    lengths: [2],
  },
  'while a referrer in another format is read by id': {
    contents: [HANA, ARTICLE_BY_NOBODY, ...notes(5)],
    models: TWO_FORMATS,
    before: ({ contents }) => contents.edit(ARTICLE, { author: AUTHOR }),
  },
  'while more changes than the heads contain are read': {
    contents: [HANA, ARTICLE_BY_NOBODY, ...notes(130)],
    models: TYPED,
    before: (service) => {
      service.contents.edit(ARTICLE, { author: AUTHOR });
      editNotes(service, 120);
    },
  },
  'while the heads are read, followed by many edits': {
    contents: [HANA, ARTICLE_BY_NOBODY, ...notes(130)],
    models: TYPED,
    before: (service) => {
      service.contents.edit(ARTICLE, { author: AUTHOR });
      editNotes(service, 1);
    },
    after: (service) => editNotes(service, 120),
  },
  'while everything is verified, and was created after its referrer': {
    contents: [ARTICLE_BY_NOBODY, ...notes(130), HANA],
    models: MODELS,
    options: { verify: 'always' },
    before: (service) => {
      service.contents.edit(ARTICLE, { author: AUTHOR });
      editNotes(service, 120);
    },
  },
  'while everything is read in English, and has no English': {
    contents: [
      HANA,
      published('article', ARTICLE, { title: 'a', author: AUTHOR }, { en: { title: 'b', author: AUTHOR } }),
      ...notes(110),
    ],
    models: TYPED,
    collection: { model: 'article', lang: 'en', fallback: true },
    isCold: true,
    // The longest hides it from both readings of the article.
    lengths: [1, 2, 5],
  },
  'while the English of an article is read by itself and as a change of the main language': {
    contents: [HANA, ENGLISH_BY_HANA, ...englishNotes(130)],
    models: TYPED,
    collection: { model: 'article', lang: 'en', fallback: true },
    before: editEnglish,
  },
  'while the English of an article is read in another format': {
    contents: [HANA, ENGLISH_BY_HANA, ...englishNotes(130)],
    models: TWO_FORMATS,
    collection: { model: 'article', lang: 'en', fallback: true },
    before: ({ contents }) => contents.edit(ARTICLE, { title: 'edited' }, { lang: 'en' }),
  },
  'from a build whose copies of the CDN the next one gets too': {
    contents: [HANA, ARTICLE_BY_NOBODY, ...notes(130)],
    models: TYPED,
    before: (service) => {
      service.contents.edit(ARTICLE, { author: AUTHOR });
      editNotes(service, 1);
    },
    isRepeated: true,
    after: (service) => editNotes(service, 120),
  },
};

/** Tests of what is hidden and shown again in each situation; `change` says how, and `editsOf` does it. */
export function testBrieflyHidden(change: string, editsOf: (id: number) => { hide: Edit; show: Edit }): void {
  describe.each(Object.entries(OF_AN_AUTHOR))(`an author that is ${change} %s`, (_name, situation) => {
    test('is in the next build', async () => {
      expect(await findWrongBuilds({ ...situation, ...editsOf(AUTHOR) })).toEqual([]);
    });
  });
}
