/** The models of the magazine, which use every field type. */
const text = { type: 'text' };
const title = { type: 'text', required: true, title: true };
const slug = { type: 'text', required: true };
const multiline = { type: 'multiline' };
const media = { type: 'media' };
const select = (...options) => ({ type: 'select', options });
const referenceTo = (model) => ({ type: 'reference', model });

const PLACES = ['hamanagi', 'shinonome', 'shirase', 'tochione', 'chinami', 'furumachi', 'takami', 'okinose'];
const TAGS = [
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
];

export const models = {
  author: { name: title, slug, role: text, bio: multiline, portrait: media },
  category: {
    name: title,
    slug,
    about: multiline,
    editor: referenceTo('author'),
    parent: referenceTo('category'),
  },
  article: {
    title,
    slug,
    lead: multiline,
    body: { type: 'flexible_text' },
    cover: media,
    author: referenceTo('author'),
    category: referenceTo('category'),
    tags: { type: 'multi_select', options: TAGS },
    place: select(...PLACES),
    featured: { type: 'boolean' },
    related: { type: 'repeat', fields: { article: referenceTo('article') } },
    seo: { type: 'field_set', fields: { description: text, image: media } },
  },
  event: {
    title,
    slug,
    kind: select('market', 'festival', 'workshop', 'walk', 'talk'),
    place: select(...PLACES),
    starts_at: { type: 'datetime', required: true },
    ends_at: { type: 'datetime' },
    free: { type: 'boolean' },
    summary: multiline,
    picture: media,
    more: referenceTo(['article', 'author']),
  },
  gallery: {
    title,
    slug,
    intro: multiline,
    photographer: referenceTo('author'),
    pictures: { type: 'repeat', fields: { picture: media, caption: text } },
  },
  page: {
    title,
    slug,
    blocks: {
      type: 'combination',
      sets: {
        hero: { kicker: text, article: referenceTo('article') },
        article_list: {
          heading: text,
          arrangement: select('grid', 'list'),
          articles: { type: 'repeat', fields: { article: referenceTo('article') } },
        },
        quote: { text: multiline, source: text, article: referenceTo('article') },
        picture_text: {
          picture: media,
          heading: text,
          text: { type: 'flexible_text' },
          link: referenceTo(['article', 'gallery']),
        },
        event_list: {
          heading: text,
          events: { type: 'repeat', fields: { event: referenceTo('event') } },
        },
        gallery_teaser: { heading: text, gallery: referenceTo('gallery') },
      },
    },
  },
  item: {
    name: title,
    slug,
    kind: select('table', 'cloth', 'paper', 'pantry'),
    price: text,
    in_stock: { type: 'boolean' },
    words: multiline,
    maker: text,
    picture: media,
  },
};
