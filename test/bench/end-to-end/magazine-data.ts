import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SENTENCE, titleOf } from '../text.ts';

/** A realistic magazine: articles with headings, lists and code, images, blocks and authors. */
export const ARTICLES = 2_000;
const AUTHORS = 50;
export const FIRST_ARTICLE = 1_000;
export const IMAGE_FILES_DIR = fileURLToPath(new URL('../../../src/emulator/sample/media/', import.meta.url));

const FILES = readdirSync(IMAGE_FILES_DIR).filter((name) => /\.(jpg|webp)$/.test(name));
const created = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();

/** About 6 KB of HTML with the elements of a typical article. */
function body(n: number): string {
  const section = (title: string) =>
    `<h2>${title}</h2><p>${SENTENCE.repeat(6)}<a href="/articles/${FIRST_ARTICLE + n}/">A link</a>, <strong>bold</strong>.</p>` +
    `<ul><li>${SENTENCE}</li><li>${SENTENCE}</li></ul><blockquote><p>${SENTENCE}</p></blockquote>` +
    '<pre><code>const tide = await harbour.tide();</code></pre>';
  return [`Morning ${n}`, 'Noon', 'Evening', 'Night'].map(section).join('');
}

const blocks = (n: number) => [
  { luid: 'quote', fields: { text: `Quote ${n}. ${SENTENCE}` } },
  { luid: 'picture', fields: { image: 1 + (n % FILES.length), caption: `Caption ${n}` } },
  { luid: 'quote', fields: { text: SENTENCE } },
];

/** The seed of the emulator. */
export const seedOf = (articles: number) => ({
  languages: { main: 'en' },
  keys: [{ key: 'k', reads: 'published' }],
  models: {
    author: { name: { type: 'text' }, portrait: { type: 'media' } },
    article: {
      title: { type: 'text' },
      body: { type: 'flexible_text' },
      cover: { type: 'media' },
      author: { type: 'reference', model: 'author' },
      blocks: {
        type: 'combination',
        sets: {
          quote: { text: { type: 'multiline' } },
          picture: { image: { type: 'media' }, caption: { type: 'text' } },
        },
      },
    },
  },
  media: FILES.map((file, n) => ({ id: n + 1, file, alt: { en: `Picture ${n}` } })),
  contents: [
    ...Array.from({ length: AUTHORS }, (_, n) => ({
      id: n + 1,
      model: 'author',
      created_at: created(n),
      published: { en: { name: `Author ${n}`, portrait: 1 + (n % FILES.length) } },
    })),
    ...Array.from({ length: articles }, (_, n) => ({
      id: FIRST_ARTICLE + n,
      model: 'article',
      created_at: created(100 + n),
      published: {
        en: {
          title: titleOf(n),
          body: body(n),
          cover: 1 + (n % FILES.length),
          author: 1 + (n % AUTHORS),
          blocks: blocks(n),
        },
      },
    })),
  ],
});

export interface Record {
  readonly id: string;
  readonly updated: string;
  readonly [field: string]: unknown;
}

const pad = (n: number) => String(n).padStart(15, '0');

/** The same content as PocketBase records, with file names for media and record ids for references. */
export const magazineRecords = (articles: number): { readonly [collection: string]: Record[] } => ({
  authors: Array.from({ length: AUTHORS }, (_, n) => ({
    id: pad(n + 1),
    name: `Author ${n}`,
    portrait: FILES[n % FILES.length],
    created: created(n).replace('T', ' '),
    updated: created(n).replace('T', ' '),
  })),
  articles: Array.from({ length: articles }, (_, n) => ({
    id: pad(FIRST_ARTICLE + n),
    title: titleOf(n),
    body: body(n),
    cover: FILES[n % FILES.length],
    author: pad(1 + (n % AUTHORS)),
    blocks: blocks(n).map(({ luid, fields }) => ({
      luid,
      fields: { ...fields, image: FILES[n % FILES.length] },
    })),
    created: created(100 + n).replace('T', ' '),
    updated: created(100 + n).replace('T', ' '),
  })),
});
