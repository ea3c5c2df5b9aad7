import { beforeAll, describe, expect, test } from 'vitest';
import { AUTHOR, READS, tryWindows, type Wrong } from './hidden-during-reads.ts';

describe.each(READS)(
  'during $read, an author that is unpublished and published between any two requests',
  (read) => {
    let wrong: Wrong;
    beforeAll(async () => {
      wrong = await tryWindows(read, {
        hide: ({ contents }) => contents.unpublish(AUTHOR),
        show: ({ contents }) => contents.publish(AUTHOR),
      });
    });

    test('is in the result of that build', () => expect(wrong.itself).toEqual([]));

    test('is in the result of the next build without edits', () => expect(wrong.next).toEqual([]));
  },
);
