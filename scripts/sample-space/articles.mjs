import { fileOf, images } from './images.mjs';
import { endings, openings, places } from './passages.mjs';
import { categories, people } from './people.mjs';
import { random } from './random.mjs';
import { craft } from './subjects/craft.mjs';
import { food } from './subjects/food.mjs';
import { nature } from './subjects/nature.mjs';
import { town } from './subjects/town.mjs';
import { travel } from './subjects/travel.mjs';

/*
 * A subject has
 *   articles  slug, title and lead in Japanese and, if the article is translated, in English
 *   parts     heading and paragraph in both languages; each article contains two of them
 *   quotes    text and source in both languages
 * The other passages of an article are chosen by season (of its date) and place.
 */
const subjects = [...craft, ...food, ...travel, ...nature, ...town];

/** The two parts of each article of a subject; every pair is different. */
const PAIRS = [
  [0, 1],
  [2, 3],
  [4, 0],
  [1, 2],
  [3, 4],
  [0, 2],
];

/** Ids that appear in examples and tests. */
const FIXED_IDS = { 'harbour-at-dusk': 301, 'tea-field-morning': 302, 'night-train': 303 };

/** Articles that must be dated in a certain month. */
const MONTHS = {
  'first-picking': 5,
  'winter-tea-garden': 1,
  'lacquer-season': 6,
  'buckwheat-in-flower': 9,
  'noodles-for-new-year': 12,
  'steam-at-dawn': 1,
  'lees-for-lunch': 3,
  'bees-and-blossom': 5,
  'lantern-boats': 8,
  'learning-the-flute': 7,
  'fireworks-from-a-barge': 8,
  'morning-after-the-festival': 9,
  'new-year-at-the-shrine': 1,
  'beech-in-may': 5,
  'winter-tracks': 2,
  'umi-no-ie': 9,
  'repair-in-winter': 1,
  'rinsing-in-the-river': 1,
  'paper-and-cold-water': 2,
  'sliding-doors': 12,
  'oars-for-children': 8,
  'pickle-barrels': 11,
  'mountain-vegetables': 4,
  'mushroom-map': 10,
  'snow-and-steam': 1,
  'seven-citrus': 12,
  'plovers-stop-here': 4,
  'beach-after-the-storm': 10,
  'clay-from-the-river': 4,
  'ice-house': 7,
};
const NEWEST = { 'harbour-at-dusk': '2026-10-20', 'one-car-train': '2026-10-16', 'ash-glaze': '2026-10-12' };

const SEASONS = ['winter', 'winter', 'spring', 'spring', 'spring', 'summer', 'summer', 'summer'];
const seasonOf = (date) => SEASONS[date.getUTCMonth()] ?? (date.getUTCMonth() < 11 ? 'autumn' : 'winter');

const imageByName = new Map(images.map(([id, name, ja, en]) => [name, { id, name, alt: [ja, en] }]));
const authorIds = new Map(people.map(([id, slug]) => [slug, id]));
const categoryIds = new Map(categories.map(([id, slug]) => [slug, id]));

export const imageId = (name) => imageByName.get(name).id;
export const authorId = (slug) => authorIds.get(slug);

/** All articles, newest first, before they are converted to seed content. */
export function composeArticles() {
  const next = random(20261101);
  const pick = (list) => list[Math.floor(next() * list.length)];
  let id = 303;
  const articles = subjects.flatMap((subject, number) =>
    subject.articles.map(([slug, jaTitle, jaLead, enTitle, enLead], index) => {
      const date = dateOf(slug, next);
      const cover = subject.images[index % 2];
      const article = {
        id: FIXED_IDS[slug] ?? ++id,
        slug,
        date,
        author: subject.authors[(index + number) % 2],
        category: categoryIds.get(subject.category),
        place: subject.place,
        tags: [...subject.tags, seasonOf(date)],
        cover: imageId(cover),
        featured: index === 0,
        subject: number,
      };
      const passages = {
        opening: pick(openings[seasonOf(date)]),
        parts: PAIRS[index].map((part) => subject.parts[part]),
        quote: subject.quotes[index % 2],
        image: imageByName.get(subject.images[(index + 1) % 2]),
        visit: places[subject.place].visit[index % 2],
        ending: endings[(number * 6 + index) % endings.length],
      };
      const body = (lang) => bodyOf(passages, places[subject.place].name[lang], lang);
      const texts = { ja: { title: jaTitle, lead: jaLead, body: body(0) } };
      if (enTitle) texts.en = { title: enTitle, lead: enLead, body: body(1) };
      return { ...article, texts };
    }),
  );
  return addRelated(articles.sort((a, b) => b.date - a.date));
}

/** A random day in the two years before November 2026, in the article's month if it has one. */
function dateOf(slug, next) {
  if (NEWEST[slug]) return new Date(`${NEWEST[slug]}T00:00:00Z`);
  const first = Date.UTC(2024, 10, 3);
  const day = 86_400_000;
  for (;;) {
    const date = new Date(first + Math.floor(next() * 700) * day);
    if (!MONTHS[slug] || date.getUTCMonth() + 1 === MONTHS[slug]) return date;
  }
}

const VISIT = ['行ってみる', 'Going there'];

function bodyOf({ opening, parts, quote, image, visit, ending }, place, lang) {
  const [first, second] = parts.map((part) => part.slice(lang * 2, lang * 2 + 2));
  const [words, source] = quote.slice(lang * 2, lang * 2 + 2);
  const alt = image.alt[lang];
  return [
    `<p>${opening[lang].replaceAll('{place}', place)}</p>`,
    `<h2>${first[0]}</h2><p>${first[1]}</p>`,
    `<figure><img src="{assets_url}/${image.id}/${fileOf(image.name)}" alt="${alt}"><figcaption>${alt}</figcaption></figure>`,
    `<h2>${second[0]}</h2><p>${second[1]}</p>`,
    `<blockquote><p>${words}</p><p><cite>${source}</cite></p></blockquote>`,
    `<h2>${VISIT[lang]}</h2><p>${visit[lang]}</p>`,
    `<p>${ending[lang]}</p>`,
  ].join('');
}

/** Relates each article to two of the same subject and to one of another subject with the same place or season. */
function addRelated(articles) {
  return articles.map((article, index) => {
    const others = [...articles.slice(index + 1), ...articles.slice(0, index)];
    const same = others.filter(({ subject }) => subject === article.subject).slice(0, 2);
    const elsewhere = others.find(
      ({ subject, tags, place }) =>
        subject !== article.subject && (place === article.place || tags[2] === article.tags[2]),
    );
    return { ...article, related: [...same, elsewhere].map(({ id }) => id) };
  });
}
