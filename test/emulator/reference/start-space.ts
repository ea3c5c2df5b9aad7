import { field } from '../../../src/models/field.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import type { Seed } from './reference-seed.ts';

/** Two models that refer to each other; `owner` to a tag only, `link` to anything. */
export const MODELS: ModelMap = {
  note: {
    title: field.text(),
    flag: field.boolean(),
    link: field.reference(),
    owner: field.reference('tag'),
    picture: field.media(),
    group: field.fieldSet({ line: field.text(), link: field.reference() }),
    rows: field.repeat({ line: field.text(), picture: field.media() }),
  },
  tag: { title: field.text(), picture: field.media(), link: field.reference('note') },
};

const since2025 = { published_at: '2025-01-02T00:00:00Z', last_published_at: '2025-06-01T00:00:00Z' };
const since2026 = { published_at: '2026-01-02T00:00:00Z', last_published_at: '2026-01-03T00:00:00Z' };

/** One item in each state, in one language or several, and two media. */
export const START: Seed = {
  languages: { main: 'ja', sub: ['en', 'fr'] },
  keys: [
    { key: 'pub', reads: 'published' },
    { key: 'all', reads: 'drafts' },
  ],
  models: MODELS,
  media: [
    { id: 91, file: 'a.png', alt: { ja: '絵', en: 'art' } },
    { id: 92, file: 'b.png', alt: {}, archived: true },
  ],
  contents: [
    {
      id: 3,
      model: 'note',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-05T00:00:00Z',
      ...since2026,
      published: { ja: { title: '三', rows: [{ line: 'r', picture: 91 }] }, fr: { title: 'trois' } },
      draft: { ja: { title: '三改', link: 2 }, en: { title: 'three' } },
    },
    {
      id: 1,
      model: 'note',
      created_at: '2025-01-01T00:00:00Z',
      updated_at: '2025-06-01T00:00:00Z',
      ...since2025,
      published: { ja: { title: '一', link: 2, picture: 91, owner: 4 }, en: { title: 'one', link: 3 } },
    },
    {
      id: 2,
      model: 'note',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
      draft: { ja: { title: '二', link: 1, group: { line: 'g', link: 3 } } },
    },
    {
      id: 4,
      model: 'tag',
      archived: true,
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-04T00:00:00Z',
      ...since2026,
      published: { ja: { title: '四', link: 1 } },
    },
    {
      id: 5,
      model: 'tag',
      created_at: '2026-01-05T00:00:00Z',
      updated_at: '2026-01-05T00:00:00Z',
      ...since2026,
      published: { ja: { title: '五', picture: 91 }, en: { title: 'five' } },
    },
  ],
};
