import { describe, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { openSite, published, serve, shown } from '../loader-site.ts';
import { numbers } from './large-site.ts';

// In a space that is read in one round, up to 300 items of pages that may be old are read again by id, and otherwise
// everything.

const MODELS = { note: { title: field.text({ title: true }) } };
const NOTES = { notes: { model: 'note' }, english: { model: 'note', lang: 'en' } };
const HOUR = 60 * 60_000;

describe('old copies of the CDN bring nothing back', () => {
  test.each([299, 300, 301])('of %i items that were edited', async (count) => {
    const contents = numbers(1, 310).map((id) =>
      published('note', id, { title: 'before' }, { en: { title: 'before' } }),
    );
    const service = serve(contents, { models: MODELS, assumptions: { purgeDelay: HOUR } });
    const site = openSite(service);
    const build = async (more: object = {}) => {
      const built = await site.build(NOTES, { models: MODELS, network: { concurrency: 16 }, ...more });
      return Object.values(built).map((entries) => Object.values(shown(entries)));
    };
    await build();
    service.clock.advance(60_000);
    for (const id of numbers(1, count))
      for (const lang of ['ja', 'en']) service.contents.edit(id, { title: 'after' }, { lang });
    const verified = await build({ verify: 'always' });
    expect(verified[0]).toContainEqual(expect.objectContaining({ title: 'after' }));
    expect(await build()).toEqual(verified);
  });
});
