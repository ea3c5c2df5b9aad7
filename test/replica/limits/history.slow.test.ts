import { describe, expect, test } from 'vitest';
import { articles, ENGLISH, FIRST_ARTICLE, JAPANESE, NOTES, openLargeSite } from './large-site.ts';

// A replica keeps which 2,000 items changed last, for collections that were not loaded meanwhile.

const BOTH = { japanese: JAPANESE, english: ENGLISH };
const COUNT = 2002;

describe('a collection is right after other collections were built', () => {
  test.each([[[1999]], [[2000]], [[1000, 998]], [[1000, 999]], [[1, 2000, 1]]])(
    'with so many changes in each build: %j',
    async (steps) => {
      const { service, build, wrongIn } = openLargeSite(articles(COUNT));
      for (let n = 0; n < 2; n++) await build(BOTH);
      let edits = 0;
      for (const [index, count] of steps.entries()) {
        await build({ notes: NOTES, others: { ...NOTES, lang: 'en' } }, () => {
          // Others each time, as far as there are any.
          for (let n = 0; n < count; n++) {
            const id = FIRST_ARTICLE + (edits++ % COUNT);
            for (const lang of ['ja', 'en']) service.contents.edit(id, { title: `edit ${index}` }, { lang });
          }
        });
      }
      expect(await wrongIn(await build(BOTH), BOTH)).toEqual([]);
    },
  );
});
