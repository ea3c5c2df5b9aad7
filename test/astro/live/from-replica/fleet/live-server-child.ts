import { setTimeout as wait } from 'node:timers/promises';
import { createStorage } from 'unstorage';
import redis from 'unstorage/drivers/redis';
import { liveSources } from '../../../../../src/astro/live/live-sources.ts';
import { loadAll, openFleetSpace, type Shown } from './fleet-space.ts';

/** What a server is started with, as JSON. */
export interface LiveServerOptions {
  readonly baseUrl: string;
  readonly redisPath: string;
  /** Milliseconds. */
  readonly refresh: number;
  /** Milliseconds that content may be old. Default: as long as it may be unverified. */
  readonly stale?: number;
  /** Milliseconds for a request. */
  readonly timeout?: number;
  /** The item whose title is always the current time, to see how old what is shown is. */
  readonly heartbeat?: number;
  /** Whether it is requested all the time. */
  readonly isBusy?: boolean;
}

export interface Question {
  readonly id: number;
  readonly what: 'read' | 'audit';
}

export interface LiveServerResult {
  readonly id: number;
  readonly shown: { readonly content: Shown } | { readonly error: string };
  readonly audit: {
    /** Changes whose tags are not those of the entries that differ. */
    readonly problems: readonly string[];
    readonly changes: number;
    readonly requests: number;
    readonly errors: number;
    /** Milliseconds that the oldest content was old. */
    readonly oldest: number;
    /** Milliseconds that a timer was late at most. */
    readonly late: number;
  };
}

const options = JSON.parse(process.argv[2] ?? '{}') as LiveServerOptions;
const { loaders } = openFleetSpace({
  ...options,
  storage: createStorage({ driver: redis({ path: options.redisPath, base: 'site' }) }),
});
const [source] = liveSources().all();
if (!source) throw new Error('There is no live source');

/** Milliseconds between two requests of a busy server. */
const PAUSE = 80;
let audit = { problems: [] as string[], changes: 0, requests: 0, errors: 0, oldest: 0, late: 0 };
/** Tags that listeners got since the last comparison. */
const heard = new Set<string>();
source.onChange(({ tags }) => {
  for (const tag of tags) heard.add(tag);
});

let last: { readonly version: number; readonly digests: ReadonlyMap<string, string> } | undefined;

/** Compares the entries of two versions with the tags that were reported between them. */
function compare(version: number, digests: ReadonlyMap<string, string>): void {
  if (last && version > last.version) {
    const { digests: before } = last;
    const tags = new Set([...before.keys(), ...digests.keys()]);
    const changed = [...tags].filter((tag) => before.get(tag) !== digests.get(tag)).sort();
    const isEntry = (tag: string) => tag.startsWith('luid:entry:');
    const reported = [...new Set(source?.tagsSince(last.version))].filter(isEntry).sort();
    const listened = [...heard].filter(isEntry).sort();
    audit.changes += 1;
    // An entry that changed twice may be as it was.
    const isRight =
      version === last.version + 1
        ? JSON.stringify(changed) === JSON.stringify(reported)
        : changed.every((tag) => reported.includes(tag));
    if (!isRight) {
      audit.problems.push(`${last.version} → ${version}: changed ${changed}, reported ${reported}`);
    }
    if (JSON.stringify(listened) !== JSON.stringify(reported)) {
      audit.problems.push(`${last.version} → ${version}: reported ${reported}, listeners got ${listened}`);
    }
  }
  if (!last || version > last.version) heard.clear();
  last = { version, digests };
}

async function load(): Promise<LiveServerResult['shown']> {
  const before = source?.version;
  const start = Date.now();
  audit.requests += 1;
  try {
    const { shown, digests } = await loadAll(loaders);
    const version = source?.version ?? 0;
    if (version === before) compare(version, digests);
    noteAge(shown, start);
    return { content: shown };
  } catch (error) {
    audit.errors += 1;
    return { error: String(error) };
  }
}

function noteAge(shown: Shown, at: number): void {
  const entry = shown.authors?.[String(options.heartbeat)] as { data: { name: string } } | undefined;
  const time = Number(entry?.data.name);
  if (Number.isFinite(time) && time > 0) audit.oldest = Math.max(audit.oldest, at - time);
}

process.on('message', async ({ id, what }: Question) => {
  const shown = what === 'read' ? await load() : { error: '' };
  process.send?.({ id, shown, audit } satisfies LiveServerResult);
  if (what === 'audit') audit = { problems: [], changes: 0, requests: 0, errors: 0, oldest: 0, late: 0 };
});
process.on('disconnect', () => process.exit());

while (options.isBusy) {
  await load();
  const start = Date.now();
  await wait(PAUSE);
  audit.late = Math.max(audit.late, Date.now() - start - PAUSE);
}
