import { fileURLToPath } from 'node:url';
import { articles } from './seed/articles.ts';
import { models } from './seed/models.ts';
import { oddContents } from './seed/odd-names.ts';
import { fillers, others } from './seed/others.ts';
import { people } from './seed/people.ts';

/** The folder of the media files. */
export const directory = fileURLToPath(new URL('./assets/', import.meta.url));

/** A space with everything that §§1–8 describe. */
export const seed = {
  languages: { main: 'ja', sub: ['en', 'fr'] },
  spaces: ['_parent', 'shop', 'lab'],
  keys: [
    { key: 'pub', reads: 'published' },
    { key: 'all', reads: 'drafts' },
    { key: 'shop-pub', reads: 'published', spaces: ['shop'] },
    { key: 'lab-all', reads: 'drafts', spaces: ['lab', 'shop'] },
  ],
  models,
  media: [
    { id: 900, file: 'wide.png', alt: { ja: '青い板', en: 'a blue board' } },
    { id: 901, file: 'wide.png', alt: { ja: '保管' }, archived: true },
    { id: 902, file: 'dot.svg' },
  ],
  contents: [...articles, ...people, ...others, ...oddContents, ...fillers],
};

export type KeyName = 'pub' | 'all' | 'shop-pub' | 'lab-all';
