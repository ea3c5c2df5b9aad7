import { expect, test } from 'vitest';
import { field } from '../../src/index.ts';
import { notes, openSite, published, responseOf, serve, shown } from './loader-site.ts';

const title = field.text({ title: true });
const BEFORE = { article: { title }, note: { title } };
const NOW = { article: { title, editor: field.reference() }, note: { title } };

// Later than a minute is what the README excepts.
test.each([1_000, 50_000])(
  'a build without a cache has an edit of 100 s ago, although its pages are purged %i ms late',
  async (purgeDelay) => {
    const service = serve([published('article', 2, { title: 'a' }), ...notes(130)], {
      models: NOW,
      assumptions: { purgeDelay },
    });
    const options = { cache: false as const, network: { concurrency: 1 } };
    await openSite(service).build(undefined, { ...options, models: BEFORE });
    service.clock.advance(3_600_000);
    service.contents.edit(2, { title: 'edited' });
    for (let id = 1001; id < 1121; id++) {
      service.clock.advance(id < 1011 ? 4000 : 500);
      service.contents.edit(id, { title: 'edited' });
    }
    service.clock.advance(5_000);
    // A reference that names no model: other heads, which the CDN has no copy of, and the same pages.
    const { articles } = await openSite(service).build(undefined, { ...options, models: NOW });
    expect(shown(articles)).toEqual(await responseOf(service, { model: 'article' }));
  },
);
