import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { liveSources } from '../../../../src/astro/live/live-sources.ts';
import { createRefreshSite } from '../../../../src/astro/revalidate/refresh-site.ts';
import type { Emulator } from '../../../../src/emulator/index.ts';
import { randomRuns } from '../../../support/random-runs.ts';
import { type SeededRandom, seededRandom } from '../../../support/seeded-random.ts';
import { TestSchedule } from '../../revalidate/test-schedule.ts';
import { article, closeSources, openSite, resultOf, tagsOf } from './live-site.ts';

const RUNS = randomRuns(15);
const SEED = Number(process.env.LUID_SEED ?? 20_261_119);
const STEPS = 25;
const LISTS = { all: {}, mori: { where: { author: { eq: 1 } } }, edited: { where: { slug: { eq: 'x' } } } };

/**
 * The service sends an event for each change; one in five is lost, one in five is doubled, and they arrive late and in any
 * order. The CDN may be purged late. Whatever happens, a page in the cache shows what the server would render, and after
 * the next regular check it shows what the service has.
 */
test(`no page is wrong after events that are lost, doubled, late and reordered, in ${RUNS} random histories`, {
  timeout: 36_000_000,
}, async () => {
  console.log(`LUID_SEED=${SEED} LUID_RUNS=${RUNS} runs these again`);
  const counts = { changes: 0, sent: 0, lost: 0, doubled: 0, foundByEvents: 0 };
  for (let run = 0; run < RUNS; run++) await runHistory(seededRandom(`${SEED} ${run}`), `run ${run}`, counts);
  console.log(JSON.stringify(counts));
  expect(counts.foundByEvents).toBeGreaterThan(RUNS);
});

type Counts = Record<'changes' | 'sent' | 'lost' | 'doubled' | 'foundByEvents', number>;

async function runHistory(random: SeededRandom, name: string, counts: Counts): Promise<void> {
  const size = [5, 40, 240][random(3)] as number;
  const contents = Array.from({ length: size }, (_, n) => ({
    ...article(10 + n, `s${n}`),
    created_at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
  }));
  const url = 'http://site.test/_luid/refresh';
  const { service, open } = openSite({
    contents,
    emulator: { webhooks: [{ url }], fetch: async () => new Response() },
  });
  service.assumptions = {
    purgeDelay: (random(3) * 20_000) as number,
    publishTouchesUpdatedAt: random(2) === 0,
    archiveTouchesUpdatedAt: random(2) === 0,
  };
  service.clock.set(Date.UTC(2026, 5, 1));
  const arriving: string[] = [];
  const timers = new TestSchedule();
  let now = 0;
  const live = open().liveLoader('article', { refresh: '1h', depth: 1 });
  const cache = new Map<string, { readonly content: string; readonly tags: readonly string[] }>();
  const render = async (page: keyof typeof LISTS, loader = live) => {
    const filter = LISTS[page];
    const list = resultOf(await loader.loadCollection({ filter, collection: 'articles' } as never));
    const content = JSON.stringify(list.entries.map(({ id, data }) => ({ id, data })));
    return { content, tags: tagsOf(list as never) };
  };
  const pages = Object.keys(LISTS) as (keyof typeof LISTS)[];
  const steps: string[] = [];
  const checkPages = async (step: string) => {
    for (const [page, { content }] of cache) {
      const served = await render(page as keyof typeof LISTS);
      expect(content, `${name}, ${page} after ${steps.join(', ')}, ${step}`).toBe(served.content);
    }
  };
  try {
    for (const page of pages) cache.set(page, await render(page));
    for (const source of liveSources().all()) {
      source.onChange(({ tags }) => {
        for (const [page, cached] of cache) {
          if (cached.tags.some((tag) => tags.includes(tag))) cache.delete(page);
        }
      });
    }
    const sendEvent = createRefreshSite({
      sources: liveSources(),
      revalidation: { done: async () => {} },
      schedule: timers.schedule,
      now: () => now,
    });
    const receive = async (body: string) => {
      now += 1000;
      const change = await sendEvent(body);
      if (change.tags.length > 0) counts.foundByEvents += 1;
    };
    let last = 0;
    for (let count = 0; count < STEPS; count++) {
      const step = ['edit', 'edit', 'event', 'event', 'poll', 'time', 'show', 'repeat'][random(8)] as string;
      steps.push(step);
      if (step === 'edit') {
        edit(service, random);
        counts.changes += 1;
        for (const { id, body } of service.webhooks.deliveries.filter((delivery) => delivery.id > last)) {
          last = id;
          counts.sent += 1;
          const fate = random(5);
          if (fate === 0) counts.lost += 1;
          else arriving.splice(random(arriving.length + 1), 0, body);
          if (fate === 1) counts.doubled += 1;
          if (fate === 1) arriving.splice(random(arriving.length + 1), 0, body);
        }
      }
      if (step === 'event' && arriving.length > 0) await receive(arriving.shift() as string);
      if (step === 'repeat') {
        now += 100;
        await Promise.all(timers.delays.map((delay) => timers.end(delay)));
      }
      if (step === 'poll') await refreshSources();
      if (step === 'time') service.clock.advance(1000 * random(30));
      for (const page of pages) {
        if (step === 'show' && !cache.has(page)) cache.set(page, await render(page));
      }
      await checkPages(step);
    }
    service.clock.advance(60_000);
    await refreshSources();
    await checkPages('the last check');
    closeSources();
    const fresh = open(mkdtempSync(join(tmpdir(), 'astro-luid-live-'))).liveLoader('article', { depth: 1 });
    for (const page of pages) {
      const truth = await render(page, fresh);
      const shown = cache.get(page);
      if (shown) expect(shown.content, `${name}, ${page} after ${steps.join(', ')}`).toBe(truth.content);
    }
  } finally {
    closeSources();
  }
}

async function refreshSources(): Promise<void> {
  for (const source of liveSources().all()) await source.refresh();
}

/** Makes a random change of an article, or of the author that all show. */
function edit(service: Emulator, random: SeededRandom): void {
  const { contents, clock } = service;
  clock.advance(1000 * random(5));
  const articles = (service.snapshot().contents ?? []).filter(({ model }) => model === 'article');
  const chosen = articles[random(articles.length)];
  const title = `Title ${random(1000)}`;
  const changes = [
    () => contents.create({ model: 'article', published: { ja: { title, slug: 'x', author: 1 } } }),
    () => contents.edit(1, { name: `Mori ${random(1000)}` }),
    () => chosen && contents.edit(chosen.id, { title, slug: random(2) === 0 ? 'x' : 'y' }),
    () => chosen && contents.saveDraft(chosen.id, { title }),
    () => chosen?.draft && contents.publish(chosen.id),
    () => chosen?.published && contents.unpublish(chosen.id),
    () => chosen && (chosen.archived ? contents.restore(chosen.id) : contents.archive(chosen.id)),
    () => chosen && contents.remove(chosen.id),
  ];
  changes[random(changes.length)]?.();
}
