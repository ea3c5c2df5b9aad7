import { isDeepStrictEqual } from 'node:util';
import { createStorage } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import {
  type Content,
  type Entries,
  notes,
  openSite,
  published,
  responseOf,
  type Site,
  serve,
  shown,
} from './loader-site.ts';

const AUTHOR = 1;
const HIDDEN = 3;

/** Articles that refer to an author, by a field that names its model or by one that does not, and to a draft. */
const CONTENTS: readonly Content[] = [
  published('author', AUTHOR, { name: 'Hana' }),
  published('author', 2, { name: 'Aki' }),
  { id: HIDDEN, model: 'author', draft: { ja: { name: 'Yuki' } } },
  ...Array.from({ length: 120 }, (_, n) =>
    published('article', 101 + n, {
      title: `article ${n}`,
      ...(n % 2 ? { author: AUTHOR } : { editor: AUTHOR }),
      thanks: [{ to: HIDDEN }],
    }),
  ),
  ...notes(110),
];

/** One request at a time, so that what happens before a request happens after the response to the last one. */
const ONE_BY_ONE = { network: { concurrency: 1 } };

interface Change {
  readonly hide: (service: Emulator) => void;
  readonly show: (service: Emulator) => void;
}

interface Read {
  readonly read: string;
  readonly isCold?: boolean;
  readonly options?: object;
  /** What happens after the first build and before this one. */
  readonly before?: (service: Emulator) => void;
  /** Items or a model are read on their own, so that no total shows what was hidden: only the next build is right. */
  readonly isWithoutProof?: boolean;
}

const READS: Read[] = [
  { read: 'a cold build', isCold: true },
  { read: 'a verified build', options: { verify: 'always' } },
  {
    read: 'a build that reads a model again, because its count no longer fits',
    before: ({ contents }) => contents.archive(170),
    isWithoutProof: true,
  },
  {
    read: 'a build that reads the referrers of another author again',
    before: ({ contents }) => contents.publish(HIDDEN),
    isWithoutProof: true,
  },
];

interface Started {
  readonly service: Emulator;
  build(options?: object): ReturnType<Site['build']>;
}

async function start({ isCold, before }: Read): Promise<Started> {
  const service = serve(CONTENTS);
  const site = openSite(service);
  // In memory, for speed.
  const cache = { storage: createStorage({ driver: memory() }) };
  const build = (options = {}) => site.build(undefined, { cache, ...ONE_BY_ONE, ...options });
  if (!isCold) {
    await build();
    // This one reads once more what the first one read by itself, so that no later one does.
    await build();
  }
  service.clock.advance(60_000);
  before?.(service);
  service.clock.advance(60_000);
  return { service, build };
}

/** How many requests such a build makes if nothing happens meanwhile. */
async function requestsOf(read: Read): Promise<number> {
  const { service, build } = await start(read);
  let requests = 0;
  service.beforeRequest = () => void requests++;
  await build(read.options);
  return requests;
}

/** Pairs of requests, numbered from 0, before which an item goes and comes back: all short ones, and some long. */
function windows(requests: number): [number, number][] {
  const lengths = [1, 2, Math.ceil(requests / 2)];
  return lengths.flatMap((length) =>
    Array.from({ length: Math.max(0, requests - length) }, (_, from): [number, number] => [
      from,
      from + length,
    ]),
  );
}

function lacksAuthor(articles: Entries | undefined): boolean {
  return [...(articles ?? [])].some(([, { author, editor }]) => !author && !editor);
}

interface Wrong {
  /** Windows after which the build itself lacks the author somewhere. */
  readonly itself: string[];
  /** Windows after which the next build is not what the service shows. */
  readonly next: string[];
}

/** Lets an author go and come back between any two requests of a build. */
async function tryWindows(read: Read, { hide, show }: Change): Promise<Wrong> {
  const wrong: Wrong = { itself: [], next: [] };
  for (const [from, to] of windows(await requestsOf(read))) {
    const { service, build } = await start(read);
    const due = new Map([
      [from, hide],
      [to, show],
    ]);
    let request = 0;
    service.beforeRequest = () => {
      const change = due.get(request);
      due.delete(request++);
      if (!change) return;
      service.clock.advance(1000);
      change(service);
    };
    const { articles } = await build(read.options);
    service.beforeRequest = undefined;
    // A build that made fewer requests for it ended before.
    if (due.size === 0 && lacksAuthor(articles)) wrong.itself.push(`${from}-${to}`);
    service.clock.advance(1000);
    for (const change of due.values()) change(service);
    service.clock.advance(60_000);
    const quiet = await build();
    const right = await responseOf(service, { model: 'article' });
    if (!isDeepStrictEqual(shown(quiet.articles), right)) wrong.next.push(`${from}-${to}`);
  }
  return wrong;
}

/** Tests of an author that goes and comes back while a build reads; `change` says how. */
export function testDuringReads(change: string, editsOf: (id: number) => Change): void {
  describe.each(READS)(`during $read, an author that is ${change} between any two requests`, (read) => {
    let wrong: Wrong;
    beforeAll(async () => {
      wrong = await tryWindows(read, editsOf(AUTHOR));
    });

    if (!read.isWithoutProof) test('is in the result of that build', () => expect(wrong.itself).toEqual([]));

    test('is in the result of the next build without edits', () => expect(wrong.next).toEqual([]));
  });
}
