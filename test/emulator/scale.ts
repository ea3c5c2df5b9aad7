/**
 * How the emulator behaves with many items: start, pages in any order, filtered pages, edits between
 * pages, memory; and how each grows from 10,000 to 100,000 items.
 *
 *   node --expose-gc test/emulator/scale.ts
 */
import { createEmulator, type Emulator, type Seed, type SeedContent } from '../../src/emulator/index.ts';

const SIZES = [10_000, 100_000];
/** What the emulator must manage at the larger size. */
const PAGES_A_SECOND = 300;
const DAY = 24 * 60 * 60 * 1000;

function manyItems(count: number): Seed {
  const instant = (day: number) => new Date(Date.UTC(2026, 0, 1) - day * DAY * 0.01).toISOString();
  const contents: SeedContent[] = [];
  for (let id = 1; id <= 100; id++) {
    contents.push({
      id,
      model: 'author',
      created_at: instant(id),
      published: { ja: { name: `Author ${id}`, portrait: 900 } },
    });
  }
  for (let id = 101; id <= count; id++) {
    contents.push({
      id,
      model: 'article',
      created_at: instant(id),
      updated_at: instant((id * 7919) % count),
      published: {
        ja: {
          title: `Article ${(id * 104729) % count}`,
          slug: `article-${id}`,
          lead: 'Two lines of text\r\nthat lead into the article, as many do.',
          body: `<p>${'The body of an article, which is longer than the rest. '.repeat(6)}</p>`,
          featured: id % 10 === 0,
          category: id % 2 ? 'news' : 'event',
          tags: ['a', 'b'],
          starts_at: instant((id * 15485863) % count),
          cover: 900,
          author: (id % 100) + 1,
          seo: { description: `About ${id}` },
        },
      },
      ...(id % 20 === 0 && { draft: { ja: { title: `Draft ${id}` } } }),
    });
  }
  return {
    keys: [{ key: 'pub', reads: 'published' }],
    models: {
      author: { name: { type: 'text' }, portrait: { type: 'media' } },
      article: {
        title: { type: 'text' },
        slug: { type: 'text' },
        lead: { type: 'multiline' },
        body: { type: 'flexible_text' },
        featured: { type: 'boolean' },
        category: { type: 'select' },
        tags: { type: 'multi_select' },
        starts_at: { type: 'datetime' },
        cover: { type: 'media' },
        author: { type: 'reference', model: 'author' },
        seo: { type: 'field_set', fields: { description: { type: 'text' } } },
      },
    },
    media: [{ id: 900, file: 'a.jpg', alt: { ja: 'A picture' } }],
    contents,
  };
}

/** Pages a second over the whole list, and the time of the first, which sorts. */
async function pages(emulator: Emulator, query: string, before?: (page: number) => void) {
  const ask = async (page: number, offset: number) => {
    before?.(page);
    const url = `${emulator.baseUrl}/contents?${query}&offset=${offset}`;
    const response = await emulator.fetch(new Request(url, { headers: { 'X-SERVICE-API-KEY': 'pub' } }));
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
    return (await response.json()) as { total: number };
  };
  const start = performance.now();
  const { total } = await ask(0, 0);
  const first = performance.now() - start;
  const count = 300;
  const from = performance.now();
  for (let page = 1; page <= count; page++) await ask(page, (page * 9700) % total);
  return { first, perSecond: (count / (performance.now() - from)) * 1000 };
}

async function measure(count: number): Promise<Map<string, number>> {
  const figures = new Map<string, number>();
  const seed = manyItems(count);
  const empty = heap();
  const start = performance.now();
  const emulator = createEmulator(seed, { cdn: false, rateLimit: false });
  figures.set('start, ms', performance.now() - start);
  figures.set('memory, MB', (heap() - empty) / 1e6);
  const record = async (name: string, query: string, before?: (page: number) => void) => {
    const { first, perSecond } = await pages(emulator, query, before);
    figures.set(`${name}: first page, ms`, first);
    figures.set(`${name}: pages/s`, perSecond);
  };
  const edit = (page: number) => emulator.contents.edit(200 + page * 7, { title: `Edited ${page}` });
  await record('default order, depth 0', 'depth=0');
  await record('default order, depth 1', 'depth=1');
  await record('by _updated_at', 'depth=0&order=-_updated_at');
  await record('by title', 'depth=0&order=title&model=article');
  await record('by starts_at', 'depth=0&order=starts_at&model=article');
  await record('by three', 'depth=0&order=category,-featured,seo.description&model=article');
  await record('filtered', 'depth=0&model=article&category[eq]=news&_updated_at[gt]=2020-01-01T00:00:00Z');
  await record('filtered by contains', 'depth=0&contains=longer');
  await record('filtered through a reference', 'depth=0&model=article&author.name[contains]=1');
  await record('by title, an edit before each', 'depth=0&order=title&model=article', edit);
  await record('by -_updated_at, an edit before each', 'depth=0&order=-_updated_at', edit);
  await record('filtered, an edit before each', 'depth=0&model=article&category[eq]=news', edit);
  await record(
    'through a reference, an edit before each',
    'depth=0&model=article&author.name[contains]=1',
    edit,
  );
  figures.set('memory with lists, MB', (heap() - empty) / 1e6);
  return figures;
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const [small, large] = [await measure(SIZES[0] as number), await measure(SIZES[1] as number)];
console.log(`${''.padEnd(58)}${SIZES.map((size) => String(size).padStart(10)).join('')}     ratio`);
let slow = 0;
for (const [name, value] of large) {
  const before = small.get(name) ?? Number.NaN;
  const tooSlow = name.endsWith('pages/s') && value < PAGES_A_SECOND;
  if (tooSlow) slow++;
  const columns = [before, value].map((figure) => figure.toFixed(1).padStart(10)).join('');
  console.log(
    `${name.padEnd(58)}${columns}${(value / before).toFixed(2).padStart(10)}${tooSlow ? '  too slow' : ''}`,
  );
}
process.exitCode = slow > 0 ? 1 : 0;
