import { resolve } from 'node:path';
import { errorMessage } from '../../errors.ts';
import { openCache } from '../shared/cache.ts';
import { loadSpace } from '../shared/load-space.ts';
import { fail, note, print, printJson, styled, warn } from '../shared/output.ts';
import { endOnSignals } from '../shared/signals.ts';
import type { Hook } from './hooks.ts';
import { watchedContent } from './watch-content.ts';
import { watchOn, watchOnce } from './watch-loop.ts';
import { HELP, hookOf, parseWatch } from './watch-options.ts';
import { openState } from './watch-state.ts';
import { type WatchEvent, Watcher } from './watcher.ts';

export async function watchCommand(args: string[]): Promise<number> {
  const options = parseWatch(args);
  if (options.help) {
    print(HELP);
    return 0;
  }
  const { every = 30_000, settle = 20_000, drafts, once, json } = options;
  const dir = resolve(options.dir ?? '.');
  const { space } = await loadSpace({ dir, file: options.space, name: options.export });
  const hook = hookOf(options, dir);
  const cache = await openCache(space, { dir, astroCacheDir: options['cache-dir'] });

  const stop = new AbortController();
  const { signal } = stop;
  const finish = async () => {
    stop.abort();
    await cache.close();
  };
  // To be told to stop is how a watcher ends; of what runs once, it is the end before its time.
  const release = endOnSignals(finish, { SIGINT: 130, SIGTERM: once ? 143 : 0 });

  const { baseUrl, clock } = await space.connect({ drafts })();
  const identity = { target: hook.identity, baseUrl, space: space.settings.space, drafts };
  const fires = once && !options['if-changed'];
  const words = wordsOf(hook, { fires, fireFirst: options['fire-first'] });
  const talk = once ? talkOfOnce(words, json) : talkOfMany(hook, words, json);
  const watcher = new Watcher({
    ...(await watchedContent(space, { cache, drafts, warn })),
    fire: hook.fire,
    state: openState(cache.storage, identity),
    every,
    settle,
    fireFirst: options['fire-first'],
    clock,
    signal,
    tell: talk.tell,
  });
  if (!once) await watchOn(watcher, { every, clock, signal, ...talk });
  else if (options['if-changed']) await watchOnce(watcher, { clock, signal });
  else await watcher.fireNow();
  talk.end();
  release();
  return 0;
}

type Words = Readonly<Record<WatchEvent['event'], string>>;

function wordsOf({ name }: Hook, { fires, fireFirst }: { fires: boolean; fireFirst: boolean }): Words {
  return {
    first: fires
      ? 'No earlier deploy is known: the hook is called in any case (--if-changed calls it only after a change)'
      : fireFirst
        ? 'No earlier deploy is known: the hook will be called (--fire-first)'
        : 'No earlier deploy is known: the content is taken as deployed (--fire-first calls the hook then, too)',
    changed: 'Content has changed',
    fired: `Called ${name}`,
  };
}

/** A line for each thing that happens, until the end. */
function talkOfMany(hook: Hook, words: Words, json: boolean) {
  const line = (event: string, text: string, more = {}) => {
    const at = new Date();
    if (json) printJson({ at: at.toISOString(), event, ...more }, 0);
    return `${styled('dim', at.toTimeString().slice(0, 8))} ${text}`;
  };
  note(line('watching', `Watching for changes, for ${hook.name}`));
  return {
    tell: ({ event }: WatchEvent) => note(line(event, words[event])),
    onRecovery: () => note(line('recovered', 'Checking for changes works again')),
    onFailure(error: unknown) {
      const message = errorMessage(error);
      fail(line('failed', `${message}\n  Will retry.`, { message }));
    },
    end() {},
  };
}

/** What came of it, at the end. */
function talkOfOnce(words: Words, json: boolean) {
  const events = new Set<WatchEvent['event']>();
  const has = (event: WatchEvent['event']) => events.has(event);
  return {
    tell: ({ event }: WatchEvent) => void events.add(event),
    onRecovery() {},
    onFailure() {},
    end() {
      if (json) printJson({ fired: has('fired'), first: has('first') }, 0);
      if (has('first')) note(words.first);
      note(has('fired') ? words.fired : 'Nothing to do: the content is what was deployed');
    },
  };
}
