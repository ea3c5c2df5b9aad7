import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { notes, openSite, published, responseOf, serve, shown } from './loader-site.ts';

/** Which point of presence a request arrives at: `a` is purged at once, any other later. */
type PopOf = (url: URL) => 'a' | 'late';

const isHead = (url: URL) => url.searchParams.get('order')?.startsWith('-') === true;
const POPS: Record<string, PopOf> = {
  'the pages are purged late': (url) => (isHead(url) ? 'a' : 'late'),
  'everything is purged late': () => 'late',
  'every other page is purged late': (url) =>
    isHead(url) || Number(url.searchParams.get('offset')) % 2 === 0 ? 'a' : 'late',
  'the first page is purged late': (url) => (url.searchParams.get('offset') === '0' ? 'late' : 'a'),
  'one head and the pages are purged late': (url) =>
    url.searchParams.get('order') === '-_updated_at' ? 'a' : 'late',
};

/** A CDN that sends no header of its own: the service's specification names none. */
function without(headers: 'all' | 'none', service: Emulator, popOf: PopOf): typeof fetch {
  return async (input, init) => {
    const url = new URL(String(input));
    const sent = { ...(init?.headers as Record<string, string>), 'x-luid-pop': popOf(url) };
    const response = await service.fetch(url, { ...init, headers: sent });
    if (headers === 'none') return response;
    const type = response.headers.get('content-type') ?? '';
    return new Response(await response.arrayBuffer(), {
      status: response.status,
      headers: { 'content-type': type },
    });
  };
}

const COLLECTIONS = { notes: { model: 'note' } };

function startService(purgeDelay = 2000): Emulator {
  return serve([published('author', 1, { name: 'Hana' }), ...notes(400)], {
    assumptions: { purgeDelay, purgeReach: 'some' },
  });
}

async function wrongNotes(service: Emulator, fetch: typeof globalThis.fetch): Promise<string[]> {
  const built = shown((await openSite(service).build(COLLECTIONS, { fetch })).notes);
  const right = await responseOf(service, { model: 'note' });
  const ids = new Set([...Object.keys(built), ...Object.keys(right)]);
  return [...ids].filter((id) => !isDeepStrictEqual(built[id], right[id]));
}

describe('a cold build 1 s after 200 edits', () => {
  test.each([
    ...Object.keys(POPS).map((late) => ({ late, sends: 'nothing of its own', strips: 'all' as const })),
    { late: 'the pages are purged late', sends: 'x-cache', strips: 'none' as const },
  ])('has all of them if $late, with a CDN that sends $sends', async ({ late, strips }) => {
    const service = startService();
    const fetch = without(strips, service, POPS[late] as PopOf);
    await openSite(service).build(COLLECTIONS, { fetch });
    service.clock.advance(600_000);
    for (let id = 1001; id < 1201; id++) service.contents.edit(id, { title: 'edited' });
    service.clock.advance(1000);
    expect(await wrongNotes(service, fetch)).toEqual([]);
  });

  test.each(Object.entries(POPS))('has no items that were archived with them if %s', async (_name, popOf) => {
    const service = startService();
    const fetch = without('all', service, popOf);
    await openSite(service).build(COLLECTIONS, { fetch });
    service.clock.advance(600_000);
    for (let id = 1001; id < 1201; id++) service.contents.edit(id, { title: 'edited' });
    for (let id = 1201; id < 1211; id++) service.contents.archive(id);
    service.clock.advance(1000);
    expect(await wrongNotes(service, fetch)).toEqual([]);
  });
});

test.each(Object.entries(POPS))(
  'a cold build 1 s after 30 s of edits has all of them if %s, by 45 s',
  async (_name, popOf) => {
    const service = startService(45_000);
    const fetch = without('all', service, popOf);
    await openSite(service).build(COLLECTIONS, { fetch });
    service.clock.advance(600_000);
    for (let id = 1001; id < 1301; id++) {
      service.clock.advance(100);
      service.contents.edit(id, { title: 'edited' });
    }
    service.clock.advance(1000);
    expect(await wrongNotes(service, fetch)).toEqual([]);
  },
);
