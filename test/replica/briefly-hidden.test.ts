import { describe, expect, test } from 'vitest';
import { AUTHOR, OF_AN_AUTHOR, OF_UNDECLARED_CONTENT, TOPIC } from './briefly-hidden-situations.ts';
import { findWrongBuilds } from './hide-and-show.ts';

describe.each(Object.entries(OF_AN_AUTHOR))(
  'an author that is unpublished and published %s',
  (_name, situation) => {
    test('is in the next build', async () => {
      const found = await findWrongBuilds({
        ...situation,
        hide: ({ contents }) => contents.unpublish(AUTHOR),
        show: ({ contents }) => contents.publish(AUTHOR),
      });
      expect(found).toEqual([]);
    });
  },
);

describe.each(Object.entries(OF_UNDECLARED_CONTENT))(
  'content of an undeclared model that is unpublished and published %s',
  (_name, situation) => {
    test('is in the next build', async () => {
      const found = await findWrongBuilds({
        ...situation,
        hide: ({ contents }) => contents.unpublish(TOPIC),
        show: ({ contents }) => contents.publish(TOPIC),
      });
      expect(found).toEqual([]);
    });
  },
);
