import { afterEach, describe, expect, test, vi } from 'vitest';
import { responseOf } from '../loader-site.ts';
import { contentsWith, LASTING, TARGET } from './lasting.ts';
import { BERG, differences, entriesOf, ITO, MORI, open } from './scenario.ts';
import { type Missed, UNTIL_FULL_READ } from './until-full-read.ts';

// Each group of tests is a line of "What a rebuild may miss" in docs/guides/deploying.md.

afterEach(() => vi.unstubAllEnvs());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ARTICLES = ['article/11', 'article/12', 'article/13'];
type Build = ReturnType<ReturnType<typeof open>['createSite']>;

/** Builds sites, so that nothing is left to confirm, and lets something happen. */
async function edited({ edit, ...scenario }: Missed) {
  const { service, createSite, buildAnew } = open(scenario);
  const sites = { large: createSite(), nightly: createSite(), small: createSite({ concurrency: 16 }) };
  for (const build of Object.values(sites)) {
    await build();
    await build();
  }
  service.clock.advance(MINUTE);
  edit(service);
  service.clock.advance(MINUTE);
  return { service, ...sites, buildAnew };
}

for (const [line, scenarios] of Object.entries(UNTIL_FULL_READ)) {
  describe(line, () => {
    test.each(Object.entries(scenarios))('%s', async (_name, scenario) => {
      const { service, large, nightly, small, buildAnew } = await edited(scenario);
      expect(differences(await large(), await buildAnew())).toEqual([...scenario.missed].sort());
      const { later } = scenario;
      if (later) {
        later.edit(service);
        service.clock.advance(MINUTE);
        expect(differences(await large(), await buildAnew())).toEqual([...later.missed].sort());
      }

      const right = await buildAnew();
      const expectRight = async (build: Build) => expect(differences(await build(), right)).toEqual([]);
      await expectRight(small);
      vi.stubEnv('LUID_VERIFY', '1');
      await expectRight(nightly);
      vi.unstubAllEnvs();
      service.clock.advance(DAY);
      await expectRight(large);
    });
  });
}

test('a change without a time that one of the newest 100 items shows is seen in its whole model', async () => {
  const { service, createSite, buildAnew } = open({});
  const build = createSite();
  await build();
  await build();
  service.clock.advance(MINUTE);
  service.models.renameField('note', 'title', 'name');
  expect(differences(await build(), await buildAnew())).toEqual([]);
});

describe('Content that is hidden within a full read while other content is visible in its place', () => {
  const isPage = (query: URLSearchParams) => query.has('offset');
  const isHead = (query: URLSearchParams) => query.get('order')?.startsWith('-') === true;

  test('is missing in what refers to it', async () => {
    const { service, createSite, buildAnew } = open({});
    const { contents, clock } = service;
    const build = createSite();
    await build();
    await build();
    clock.advance(DAY + MINUTE);
    const hide = () => {
      contents.archive(MORI);
      contents.create({ id: 4, model: 'author', published: { ja: { name: '4' } } });
    };
    const show = () => {
      contents.restore(MORI);
      contents.archive(4);
    };
    const steps = [
      { before: isPage, edit: hide },
      { before: isHead, edit: show },
    ];
    service.beforeRequest = ({ url }) => {
      if (steps[0]?.before(new URL(url).searchParams)) steps.shift()?.edit();
    };
    await build();
    service.beforeRequest = undefined;
    expect(steps).toEqual([]);
    for (let n = 0; n < 3; n++) {
      clock.advance(MINUTE);
      expect(differences(await build(), await buildAnew())).toEqual(expect.arrayContaining(ARTICLES));
    }
    clock.advance(DAY);
    expect(differences(await build(), await buildAnew())).toEqual([]);
  });
});

describe('Content that is hidden both times that an item which refers to it is read', () => {
  test('is missing in that item', async () => {
    const { service, createSite, buildAnew } = open({ languages: 'main only' });
    const { contents, clock } = service;
    const build = createSite();
    for (let n = 0; n < 2; n++) await build();
    /** A build in which it is hidden from the first such request on. */
    const buildHidden = async (isFirst: (query: URLSearchParams) => boolean) => {
      clock.advance(MINUTE);
      service.beforeRequest = ({ url }) => {
        if (!isFirst(new URL(url).searchParams)) return;
        service.beforeRequest = undefined;
        contents.archive(MORI);
      };
      await build();
      contents.restore(MORI);
    };
    contents.edit(11, { lead: 'edited' });
    clock.advance(1000);
    contents.edit(1130, { title: 'edited' });
    await buildHidden((query) => query.get('order') === '-_last_published_at');
    // It is not among the newest 100 any more.
    clock.advance(MINUTE);
    for (let id = 1001; id <= 1120; id++) contents.edit(id, { title: 'edited' });
    await buildHidden((query) => query.has('_id[in]'));
    for (let n = 0; n < 3; n++) {
      clock.advance(MINUTE);
      expect(differences(await build(), await buildAnew())).toEqual(['article/11']);
    }
    clock.advance(DAY);
    expect(differences(await build(), await buildAnew())).toEqual([]);
  });

  test('is in that item if it is hidden once', async () => {
    const { service, createSite, buildAnew } = open({ languages: 'main only' });
    const build = createSite();
    for (let n = 0; n < 2; n++) await build();
    service.clock.advance(MINUTE);
    service.contents.edit(11, { lead: 'edited' });
    service.clock.advance(1000);
    service.contents.edit(1130, { title: 'edited' });
    service.beforeRequest = ({ url }) => {
      if (new URL(url).searchParams.get('order') === '-_last_published_at') service.contents.archive(MORI);
    };
    expect((await build()).get('article/11')).toHaveProperty('author', null);
    service.beforeRequest = undefined;
    service.contents.restore(MORI);
    service.clock.advance(MINUTE);
    // It is not among the newest 100 any more.
    for (let id = 1001; id <= 1120; id++) service.contents.edit(id, { title: 'edited' });
    expect(differences(await build(), await buildAnew())).toEqual([]);
  });
});

for (const [line, references] of Object.entries(LASTING)) {
  describe(line, () => {
    test.each(Object.entries(references))('%s', async (_name, reference) => {
      const { service, createSite } = open({ ...reference, contents: contentsWith(reference) });
      const response = await responseOf(service, { model: 'article', depth: 0, ...reference.query });
      expect(response[11]).toHaveProperty('any', TARGET);
      const build = createSite();
      for (const more of [{}, {}, { verify: 'always' }])
        expect((await build(more)).get('article/11')).toHaveProperty('any', reference.shown);
    });
  });
}

describe('Content that changes while a build reads it', () => {
  test('may be old in one language and new in another, until the next build', async () => {
    const { service, createSite, buildAnew } = open({});
    const build = createSite();
    service.beforeRequest = ({ url }) => {
      if (new URL(url).searchParams.get('lang') !== 'en') return;
      service.beforeRequest = undefined;
      service.clock.advance(1000);
      for (const lang of ['ja', 'en']) service.contents.edit(ITO, { name: 'after' }, { lang });
    };
    const mixed = await build();
    service.clock.advance(MINUTE);
    expect(differences(mixed, await buildAnew())).toEqual([`author/${ITO}`]);
    expect(differences(await build(), await buildAnew())).toEqual([]);
  });
});

describe('An edit of which the CDN has no copy yet', () => {
  test('is missed until the first build after the purge', async () => {
    const { service, createSite, buildAnew } = open({
      service: { assumptions: { purgeDelay: 10 * MINUTE } },
    });
    const build = createSite();
    await build();
    await build();
    service.clock.advance(MINUTE);
    service.contents.edit(BERG, { name: 'after' });
    expect(differences(await build(), await buildAnew())).toEqual(entriesOf('author', BERG).sort());
    service.clock.advance(10 * MINUTE);
    expect(differences(await build(), await buildAnew())).toEqual([]);
  });
});
