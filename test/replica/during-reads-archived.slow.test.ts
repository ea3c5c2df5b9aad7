import { beforeAll, describe, expect, test } from 'vitest';
import { AUTHOR, READS, tryWindows, type Wrong } from './hidden-during-reads.ts';

describe.each(READS)(
  'during $read, an author that is archived and restored between any two requests',
  (read) => {
    let wrong: Wrong;
    beforeAll(async () => {
      wrong = await tryWindows(read, {
        hide: ({ contents }) => contents.archive(AUTHOR),
        show: ({ contents }) => contents.restore(AUTHOR),
      });
    });

    test('is in the result of that build', () => expect(wrong.itself).toEqual([]));

    test('is in the result of the next build without edits', () => expect(wrong.next).toEqual([]));
  },
);
