import { expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { collectAltTexts } from '../../../src/replica/store/manifest/alt-texts.ts';
import { content } from '../wire-items.ts';

const models = {
  article: {
    cover: field.media(),
    gallery: field.repeat({ image: field.media() }),
    author: field.reference(),
  },
};

test('alternative texts are found in media at any depth, by URL', () => {
  const item = content(1, {
    cover: { url: '/a.jpg', alt: 'A' },
    gallery: [{ image: { url: '/b.jpg', alt: '' } }, { image: null }, { image: { url: '/c.jpg', alt: 'C' } }],
  });
  expect(collectAltTexts(models, [item])).toEqual({ '/a.jpg': 'A', '/b.jpg': '', '/c.jpg': 'C' });
});

test('if the same media is used twice, the last alternative text counts', () => {
  const items = ['old', 'new'].map((alt, n) => content(n, { cover: { url: '/a.jpg', alt } }));
  expect(collectAltTexts(models, items)).toEqual({ '/a.jpg': 'new' });
});

test('a media without an alternative text has none, in whatever form', () => {
  const items = [{ url: '/a.jpg' }, { url: '/b.jpg', alt: null }, { url: '/c.jpg', alt: 7 }];
  const found = collectAltTexts(
    models,
    items.map((cover, n) => content(n, { cover })),
  );
  expect(found).toEqual({ '/a.jpg': null, '/b.jpg': null, '/c.jpg': null });
});

test('values that are not media with a URL are ignored', () => {
  const items = [
    content(2, { cover: { alt: 'A' } }),
    content(4, { author: { url: '/c.jpg', alt: 'embedded' } }),
    content(5, { other: { url: '/d.jpg', alt: 'not declared' } }),
    content(6, { _model: 'note', cover: { url: '/e.jpg', alt: 'of an undeclared model' } }),
  ];
  expect(collectAltTexts(models, items)).toEqual({});
});
