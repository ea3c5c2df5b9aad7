import { expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { openTestSite } from './test-site.ts';

// Astro's store keeps which items warnings are about, up to 1,000.

const NOTES = { notes: { model: 'note' } };

test.each([999, 1000, 1001])(
  'a warning about %i items counts one less when one of them is corrected',
  async (count) => {
    const site = openTestSite(
      { note: { title: field.text({ title: true }) } },
      Array.from({ length: count + 500 }, (_, n) => ({ id: n + 1, model: 'note', title: `${n}` })),
    );
    const space = { apiKey: 'drafts' };
    const { contents, clock } = site.service;
    for (let id = 1; id <= count; id++) contents.unpublish(id);
    const counted = (lines: readonly string[]) => /contains ([\d,]+) drafts?/.exec(lines.join('\n'))?.[1];
    expect(counted(await site.build(NOTES, { space }))).toBe(count.toLocaleString('en'));
    clock.advance(60_000);
    contents.publish(1);
    expect(counted(await site.build(NOTES, { space }))).toBe((count - 1).toLocaleString('en'));
  },
);
