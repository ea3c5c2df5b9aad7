// Writes the emulator's sample space: node scripts/run.mjs sample-space. Its images: sample-images.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.mjs';
import { authorId, composeArticles, imageId } from './sample-space/articles.mjs';
import { events, galleries, goods } from './sample-space/calendar.mjs';
import { about, front } from './sample-space/front.mjs';
import { fileOf, images, portraits } from './sample-space/images.mjs';
import { models } from './sample-space/models.mjs';
import { categories, people } from './sample-space/people.mjs';

const START = '2024-10-01T00:00:00Z';
/** The id of an archived article that another article still references. */
const ARCHIVED_ARTICLE = 504;
const articles = composeArticles();
const articleIds = new Map(articles.map(({ slug, id }) => [slug, id]));
const eventIds = new Map(events.map(([slug], index) => [slug, 601 + index]));
const galleryIds = new Map(galleries.map(({ slug }, index) => [slug, 701 + index]));

const seed = {
  languages: { main: 'ja', sub: ['en'] },
  spaces: ['_parent', 'shop'],
  keys: [
    { key: 'published-key', reads: 'published' },
    { key: 'draft-key', reads: 'drafts' },
    { key: 'shop-key', reads: 'published', spaces: ['shop'] },
  ],
  models,
  media: mediaOf(),
  contents: [
    ...people.map(authorOf),
    ...categories.map(categoryOf),
    ...articles.map(articleOf),
    ...unpublished(),
    ...events.map(eventOf),
    ...galleries.map(galleryOf),
    pageOf(801, 'front', { ja: '港と山', en: 'Harbour & Hill' }, front),
    pageOf(802, 'about', { ja: '港と山について', en: 'About Harbour & Hill' }, about),
    ...goods.map(itemOf),
  ],
};

writeFileSync(join(root, 'src/emulator/sample/seed.json'), linePerItem(seed));

/** Compact JSON with one line per item, so that diffs are readable. */
function linePerItem({ media, contents, ...rest }) {
  const lines = (list) => list.map((item) => JSON.stringify(item)).join(',\n');
  const head = JSON.stringify(rest).slice(0, -1);
  return `${head},\n"media":[\n${lines(media)}],\n"contents":[\n${lines(contents)}]}\n`;
}

function mediaOf() {
  const names = new Map(people.map(([, slug, ja, , , en]) => [slug, { ja, en }]));
  return [
    ...images.map(([id, name, ja, en]) => ({
      id,
      file: `media/${fileOf(name)}`,
      alt: { ja, en },
      ...(name === 'old-cover' && { archived: true }),
    })),
    ...portraits.map(([id, slug]) => ({ id, file: `media/${fileOf(slug)}`, alt: names.get(slug) })),
  ];
}

function authorOf([id, slug, jaName, jaRole, jaBio, enName, enRole, enBio]) {
  const [portrait] = portraits.find(([, name]) => name === slug) ?? [];
  const rest = { slug, ...(portrait && { portrait }) };
  return {
    id,
    model: 'author',
    created_at: START,
    ...(portrait ? {} : { archived: true }),
    published: {
      ja: { name: jaName, role: jaRole, bio: jaBio, ...rest },
      en: { name: enName, role: enRole, bio: enBio, ...rest },
    },
  };
}

function categoryOf([id, slug, ja, en, jaAbout, enAbout, editor, parent]) {
  const rest = { slug, editor, ...(parent && { parent }) };
  return {
    id,
    model: 'category',
    created_at: START,
    published: { ja: { name: ja, about: jaAbout, ...rest }, en: { name: en, about: enAbout, ...rest } },
  };
}

/** Some articles have a draft, some an archived cover or author. */
function articleOf(article, index) {
  const { id, date, texts, subject } = article;
  const cover = index % 53 === 17 ? imageId('old-cover') : article.cover;
  const published = byLanguage(texts, (text) => fieldsOf({ ...article, cover }, text));
  const at = (days, hour) => new Date(Number(date) + days * 86_400_000 + hour * 3_600_000).toISOString();
  const changed = id === 303 || (index % 24 === 5 && subject !== 5);
  const draft = changed ? draftOf(published, id) : undefined;
  return {
    id,
    model: 'article',
    created_at: at(-4, 1),
    updated_at: draft ? at(6, 3) : at((index * 7) % 5, 2),
    published_at: at(0, 1),
    last_published_at: at((index * 7) % 5, 2),
    published,
    ...(draft && { draft }),
  };
}

function fieldsOf({ slug, cover, author, category, tags, place, featured, related, subject }, text) {
  return {
    title: text.title,
    slug,
    lead: text.lead,
    body: text.body,
    cover,
    author,
    category,
    tags,
    place,
    featured,
    related: [...related, ...(slug === 'harbour-at-dusk' ? [ARCHIVED_ARTICLE] : [])].map((article) => ({
      article,
    })),
    // The other articles have no SEO fields; pages use their lead.
    ...(subject % 3 === 0 && { seo: { description: text.lead, image: cover } }),
  };
}

function draftOf({ ja }, id) {
  const title = id === 303 ? '夜行列車の窓、その先' : `${ja.title}（改稿中）`;
  return {
    ja: {
      ...ja,
      title,
      body: `${ja.body}<p>追記：取材のあとに届いた便りを、次の号で紹介する。</p>`,
    },
  };
}

/** Articles that are not visible: three drafts and one archived article. */
function unpublished() {
  const template = articles.find(({ slug }) => slug === 'forty-minutes-to-the-island');
  const make = (id, slug, title, lead, more) => ({
    id,
    model: 'article',
    created_at: '2026-10-28T02:00:00Z',
    updated_at: '2026-10-30T02:00:00Z',
    ...more({
      ja: fieldsOf({ ...template, slug, featured: false, subject: 1 }, { ...template.texts.ja, title, lead }),
    }),
  });
  const draft = (fields) => ({ draft: fields });
  return [
    make(
      501,
      'island-library',
      '島の図書船',
      '月に二度、本を積んだ船が来る。返却は、次の満潮までに。',
      draft,
    ),
    make(502, 'winter-timetable', '冬の時刻表', '一便減って、待合室の話が一つ増える。', draft),
    make(503, 'two-ferrymen', '二人の船長', '兄は朝、弟は夕方。舵輪の癖だけが引き継がれる。', draft),
    make(
      ARCHIVED_ARTICLE,
      'old-pier',
      '古い桟橋',
      '取り壊された桟橋の話は、今号では取り下げた。',
      (published) => ({
        archived: true,
        published,
      }),
    ),
  ];
}

function eventOf([slug, kind, place, start, hours, free, image, more, ...texts]) {
  const [jaTitle, jaSummary, enTitle, enSummary] = texts;
  const starts = new Date(`${start}:00+09:00`);
  const about = articleIds.get(more) ?? authorId(more);
  const fields = ([title, summary]) => ({
    title,
    slug,
    kind,
    place,
    starts_at: starts.toISOString(),
    ends_at: new Date(Number(starts) + hours * 3_600_000).toISOString(),
    free,
    summary,
    picture: imageId(image),
    ...(about && { more: about }),
  });
  return {
    id: eventIds.get(slug),
    model: 'event',
    created_at: '2026-09-01T00:00:00Z',
    published: byLanguage({ ja: [jaTitle, jaSummary], ...(enTitle && { en: [enTitle, enSummary] }) }, fields),
  };
}

function galleryOf({ slug, by, images: shown, ja, en }) {
  const fields =
    (lang) =>
    ([title, intro]) => ({
      title,
      slug,
      intro,
      photographer: by,
      pictures: shown.map(([name, ...captions]) => ({ picture: imageId(name), caption: captions[lang] })),
    });
  return {
    id: galleryIds.get(slug),
    model: 'gallery',
    created_at: '2026-03-01T00:00:00Z',
    published: { ja: fields(0)(ja), ...(en && { en: fields(1)(en) }) },
  };
}

function pageOf(id, slug, titles, blocks) {
  const published = byLanguage(blocks, (list, lang) => ({
    title: titles[lang],
    slug,
    blocks: list.map(([luid, fields]) => ({ luid, fields: blockOf(fields) })),
  }));
  const edited = '2026-10-20T03:00:00Z';
  return { id, model: 'page', created_at: START, updated_at: edited, last_published_at: edited, published };
}

/** Replaces slugs and names in a block by ids. */
function blockOf({ article, articles: list, events: dates, gallery, link, picture, ...fields }) {
  const reference = articleIds.get(link) ?? galleryIds.get(link);
  return {
    ...fields,
    ...(article && { article: articleIds.get(article) }),
    ...(list && { articles: list.map((slug) => ({ article: articleIds.get(slug) })) }),
    ...(dates && { events: dates.map((slug) => ({ event: eventIds.get(slug) })) }),
    ...(gallery && { gallery: galleryIds.get(gallery) }),
    ...(reference && { link: reference }),
    ...(picture && { picture: imageId(picture) }),
  };
}

function itemOf([slug, kind, image, price, inStock, ...texts], index) {
  const fields = ([name, words, maker]) => ({
    name,
    slug,
    kind,
    price,
    in_stock: inStock,
    words,
    maker,
    picture: imageId(image),
  });
  return {
    id: 851 + index,
    model: 'item',
    space: 'shop',
    created_at: '2026-06-01T00:00:00Z',
    published: { ja: fields(texts.slice(0, 3)), en: fields(texts.slice(3)) },
  };
}

function byLanguage(texts, make) {
  return Object.fromEntries(Object.entries(texts).map(([lang, text]) => [lang, make(text, lang)]));
}
