const times = {
  created_at: '2025-11-01T00:00:00Z',
  updated_at: '2025-11-02T00:00:00Z',
  published_at: '2025-11-03T00:00:00Z',
  last_published_at: '2025-11-04T00:00:00Z',
};

export const others = [
  {
    id: 401,
    model: 'every',
    ...times,
    published: {
      ja: {
        flexible_text: '<p>Hello <strong>World</strong></p>',
        text: 'one, two',
        multiline: 'first\r\nsecond',
        boolean: false,
        select: 'one',
        multi_select: ['two', 'one'],
        datetime: '2026-05-01T09:00:00+09:00',
        media: 900,
        reference: 201,
        repeat: [{ text: 'a', number: true }, { text: 'b' }],
        combination: [
          { luid: 'block', fields: { text: 'first' } },
          { luid: 'block', fields: { text: 'second' } },
        ],
        field_set: { text: 'inside' },
        unknown: { any: ['thing'] },
      },
    },
  },
  { id: 402, model: 'every', ...times, published: { ja: {} } },
];

/** 120 items, created in 40 different seconds, so that each time is shared by three. */
export const fillers = Array.from({ length: 120 }, (_, index) => {
  const time = new Date(Date.UTC(2024, 0, 1, 0, 0, Math.floor(index / 3))).toISOString();
  return {
    id: 1001 + index,
    model: 'filler',
    created_at: time,
    updated_at: time,
    published_at: time,
    last_published_at: time,
    published: { ja: { title: `filler ${index}`, group: index % 2 === 0 ? 'even' : 'odd' } },
  };
});
