// Run by held-memory.test.ts with --expose-gc: how much more a server holds after many edits of a large entry.
import { liveSources } from '../../../../src/astro/live/live-sources.ts';
import { article, openSite, resultOf } from './live-site.ts';

const LENGTH = 300_000;
const body = (edit: number) => `${edit} ${'語'.repeat(LENGTH)}`;
const site = openSite({ contents: [article(10, 'a', { title: body(0) }), article(11, 'b')], sub: ['en'] });
const live = site.space.liveLoader('article', { id: 'slug' });

async function edit(number: number): Promise<void> {
  site.service.contents.edit(10, { title: body(number) });
  for (const source of liveSources().all()) await source.refresh();
  const entry = resultOf(
    await live.loadEntry({ filter: { id: 'a' }, collection: 'x' } as never),
  ) as never as {
    data: { title: string };
  };
  if (!entry.data.title.startsWith(`${number} `)) throw new Error(`edit ${number} is not shown`);
}

async function held(): Promise<number> {
  for (let times = 0; times < 3; times++) {
    await new Promise(setImmediate);
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

for (const filter of [{}, { lang: 'en' }]) await live.loadCollection({ filter, collection: 'x' } as never);
const EDITS = [5, 25] as const;
for (let number = 1; number <= EDITS[0]; number++) await edit(number);
const before = await held();
for (let number = EDITS[0] + 1; number <= EDITS[1]; number++) await edit(number);
console.log(JSON.stringify({ edits: EDITS[1] - EDITS[0], more: (await held()) - before, length: LENGTH }));
