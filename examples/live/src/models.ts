import { field } from 'astro-luid';
import { text } from './pictures.ts';

const PLACES = [
  'hamanagi',
  'shinonome',
  'shirase',
  'tochione',
  'chinami',
  'furumachi',
  'takami',
  'okinose',
] as const;
export const TAGS = [
  'sea',
  'mountain',
  'river',
  'island',
  'morning',
  'night',
  'tea',
  'people',
  'walking',
  'spring',
  'summer',
  'autumn',
  'winter',
] as const;

const title = field.text({ required: true, title: true });
const slug = field.text({ required: true });
const picture = field.media({ dimensions: true, placeholder: true });
export const languages = { main: 'ja', sub: ['en'] } as const;

/** The models of the magazine. */
export const magazineModels = {
  author: { name: title, slug, role: field.text(), bio: field.multiline(), portrait: picture },
  category: {
    name: title,
    slug,
    about: field.multiline(),
    editor: field.reference('author'),
    parent: field.reference('category'),
  },
  article: {
    title,
    slug,
    lead: field.multiline(),
    body: field.flexibleText({ images: text }),
    cover: picture,
    author: field.reference('author'),
    category: field.reference('category'),
    tags: field.multiSelect(TAGS),
    place: field.select(PLACES),
    featured: field.boolean(),
    related: field.repeat({ article: field.reference('article') }),
    seo: field.fieldSet({ description: field.text(), image: field.media() }),
  },
  event: {
    title,
    slug,
    kind: field.select(['market', 'festival', 'workshop', 'walk', 'talk']),
    place: field.select(PLACES),
    starts_at: field.datetime({ required: true }),
    ends_at: field.datetime(),
    free: field.boolean(),
    summary: field.multiline(),
    picture,
    more: field.reference(['article', 'author']),
  },
  gallery: {
    title,
    slug,
    intro: field.multiline(),
    photographer: field.reference('author'),
    pictures: field.repeat({ picture, caption: field.text() }),
  },
  page: {
    title,
    slug,
    blocks: field.combination({
      hero: { kicker: field.text(), article: field.reference('article') },
      article_list: {
        heading: field.text(),
        arrangement: field.select(['grid', 'list']),
        articles: field.repeat({ article: field.reference('article') }),
      },
      quote: { text: field.multiline(), source: field.text(), article: field.reference('article') },
      picture_text: {
        picture,
        heading: field.text(),
        text: field.flexibleText(),
        link: field.reference(['article', 'gallery']),
      },
      event_list: { heading: field.text(), events: field.repeat({ event: field.reference('event') }) },
      gallery_teaser: { heading: field.text(), gallery: field.reference('gallery') },
    }),
  },
};

export const shopModels = {
  item: {
    name: title,
    slug,
    kind: field.select(['table', 'cloth', 'paper', 'pantry']),
    price: field.text(),
    in_stock: field.boolean(),
    words: field.multiline(),
    maker: field.text(),
    picture,
  },
};
