/** Authors and companies: what articles refer to. */
const times = {
  created_at: '2025-12-01T00:00:00Z',
  updated_at: '2025-12-01T00:00:00Z',
  published_at: '2025-12-01T00:00:00Z',
  last_published_at: '2025-12-01T00:00:00Z',
};
const draftTimes = { created_at: '2025-12-02T00:00:00Z', updated_at: '2025-12-02T00:00:00Z' };

export const people = [
  {
    id: 201,
    model: 'author',
    ...times,
    published: {
      ja: {
        name: '花子',
        bio: '<p>Gardener</p>',
        portrait: 900,
        born: '1990-04-01T00:00:00+09:00',
        active: true,
        skills: ['ink', 'wood'],
        company: 301,
      },
      en: { name: 'Hanako', portrait: 900, active: true, skills: ['ink'], company: 301 },
    },
  },
  {
    id: 202,
    model: 'author',
    ...times,
    published: { ja: { name: '太郎', active: false, skills: ['wood'] } },
  },
  { id: 203, model: 'author', ...times, archived: true, published: { ja: { name: '保管' } } },
  { id: 204, model: 'author', ...draftTimes, draft: { ja: { name: '下書き' } } },
  {
    id: 205,
    model: 'author',
    space: 'shop',
    ...times,
    published: { ja: { name: '店長' }, en: { name: 'Shopkeeper' } },
  },
  {
    id: 206,
    model: 'author',
    ...times,
    published: { ja: { name: '次郎' } },
    draft: { ja: { name: '次郎（改）' } },
  },
  {
    id: 301,
    model: 'company',
    ...times,
    published: {
      ja: { name: '会社', country: 'jp', flagship: 101 },
      en: { name: 'Company', country: 'jp', flagship: 101 },
    },
  },
  { id: 351, model: 'link', ...times, published: { ja: { label: 'to an article', to: 101 } } },
  { id: 352, model: 'link', ...times, published: { ja: { label: 'to an author', to: 202 } } },
];
