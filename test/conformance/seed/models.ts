import { field } from '../../../src/models/field.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { oddModel } from './odd-names.ts';

const media = { type: 'media' } as const;

/** What `seo` and `related` of an article hold: every type that may stand in a group. */
const group = {
  line: { type: 'text' },
  lines: { type: 'multiline' },
  rich: { type: 'flexible_text' },
  flag: { type: 'boolean' },
  choice: { type: 'select', options: ['low', 'high'] },
  choices: { type: 'multi_select', options: ['x', 'y', 'z'] },
  moment: { type: 'datetime' },
  picture: media,
  person: { type: 'reference', model: 'author' },
} as const;

export const models: ModelMap = {
  article: {
    slug: { type: 'text' },
    title: { type: 'text', title: true },
    lead: { type: 'multiline' },
    body: { type: 'flexible_text' },
    featured: { type: 'boolean' },
    category: { type: 'select', options: ['news', 'event'] },
    tags: { type: 'multi_select', options: ['red', 'green', 'blue'] },
    starts_at: { type: 'datetime' },
    cover: media,
    author: { type: 'reference', model: 'author' },
    related: { type: 'repeat', fields: { ...group, article: field.reference('article') } },
    sections: {
      type: 'combination',
      sets: {
        hero: { image: media, caption: { type: 'text' } },
        quote: { text: { type: 'multiline' }, speaker: field.reference('author') },
      },
    },
    seo: { type: 'field_set', fields: group },
  },
  author: {
    name: { type: 'text' },
    bio: { type: 'flexible_text' },
    portrait: media,
    born: { type: 'datetime' },
    active: { type: 'boolean' },
    skills: { type: 'multi_select' },
    company: { type: 'reference', model: 'company' },
  },
  company: {
    name: { type: 'text' },
    country: { type: 'select' },
    flagship: { type: 'reference', model: 'article' },
  },
  /** Refers to content of any model. */
  link: { label: { type: 'text' }, to: { type: 'reference' } },
  /** One field of each type, each named for its type. */
  every: {
    flexible_text: { type: 'flexible_text' },
    text: { type: 'text' },
    multiline: { type: 'multiline' },
    boolean: { type: 'boolean' },
    select: { type: 'select', options: ['one', 'two'] },
    multi_select: { type: 'multi_select', options: ['one', 'two', 'three'] },
    datetime: { type: 'datetime' },
    media,
    reference: { type: 'reference', model: 'author' },
    repeat: { type: 'repeat', fields: { text: { type: 'text' }, number: { type: 'boolean' } } },
    combination: { type: 'combination', sets: { block: { text: { type: 'text' } } } },
    field_set: { type: 'field_set', fields: { text: { type: 'text' } } },
    unknown: { type: 'unknown' },
  },
  constructor: oddModel,
  /** Many small ones, for paging. */
  filler: { title: { type: 'text' }, group: { type: 'select' } },
};
