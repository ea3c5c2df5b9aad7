import { relative, resolve } from 'node:path';
import { exitOnSignals } from '../shared/exit-on-signals.ts';
import { loadSpace } from '../shared/load-space.ts';
import { openCache } from '../shared/open-cache.ts';
import { logError, logInfo, logWarning, print, printJson, styled } from '../shared/output.ts';
import type { Hook } from './deploy-hooks.ts';
import { watchOnce, watchUntilStopped } from './watch-loop.ts';
import { createHook, HELP, parseWatchOptions } from './watch-options.ts';
import { openWatchState } from './watch-state.ts';
import { openWatchedContent } from './watched-content.ts';
import { type WatchEvent, Watcher } from './watcher.ts';

export async function watchCommand(args: string[]): Promise<number> {
  const options = parseWatchOptions(args);
  if (options.help) {
    print(HELP);
    return 0;
  }
  const { every = 30_000, settle = 20_000, drafts, once, json } = options;
  const dir = resolve(options.dir ?? '.');
  const { space, path } = await loadSpace({ dir, file: options.space, name: options.export });
  const hook = createHook(options, dir);
  const cache = await openCache(space, { dir, astroCacheDir: options['cache-dir'] });

  const stop = new AbortController();
  const { signal } = stop;
  const finish = async () => {
    stop.abort();
    await cache.close();
  };
  // SIGTERM is the normal way to stop a watcher, but interrupts a single run.
  const removeSignalHandlers = exitOnSignals(finish, { SIGINT: 130, SIGTERM: once ? 143 : 0 });

  const { baseUrl, clock } = await space.connect({ drafts })();
  const identity = {
    target: hook.identity,
    baseUrl,
    space: space.settings.space,
    drafts,
    file: options.space && relative(dir, path),
    exportName: options.export,
  };
  const firesAlways = once && !options['if-changed'];
  const messages = messagesOf(hook, { firesAlways, fireFirst: options['fire-first'] });
  const reporter = once ? summaryReporter(messages, json) : lineReporter(hook, messages, json);
  const watcher = new Watcher({
    ...(await openWatchedContent(space, { cache, drafts, warn: logWarning })),
    fire: hook.fire,
    state: openWatchState(cache.storage, identity),
    every,
    settle,
    fireFirst: options['fire-first'],
    clock,
    signal,
    onEvent: reporter.onEvent,
  });
  if (!once) await watchUntilStopped(watcher, { every, clock, signal, ...reporter });
  else if (!firesAlways) await watchOnce(watcher, { clock, signal });
  else await watcher.fireAlways();
  reporter.end();
  removeSignalHandlers();
  return 0;
}

type Messages = Readonly<Record<WatchEvent['event'], string>>;

function messagesOf(
  { name }: Hook,
  { firesAlways, fireFirst }: { firesAlways: boolean; fireFirst: boolean },
): Messages {
  return {
    first: firesAlways
      ? 'No earlier deploy known (--if-changed would call the hook only after a change)'
      : fireFirst
        ? 'No earlier deploy known: --fire-first calls the hook'
        : 'No earlier deploy known: assuming that the current content is deployed (--fire-first calls the hook instead)',
    changed: 'Content has changed',
    fired: `Called ${name}`,
  };
}

/** Logs a line per event. */
function lineReporter(hook: Hook, messages: Messages, json: boolean) {
  const line = (event: string, text: string, more = {}) => {
    const at = new Date();
    if (json) printJson({ at: at.toISOString(), event, ...more }, 0);
    return `${styled('dim', at.toTimeString().slice(0, 8))} ${text}`;
  };
  logInfo(line('watching', `Watching for changes; will call ${hook.name}`));
  return {
    onEvent: ({ event }: WatchEvent) => logInfo(line(event, messages[event])),
    onRecovery: () => logInfo(line('recovered', 'Checking for changes works again')),
    onFailure(error: unknown) {
      const message = error instanceof Error ? error.message : String(error);
      logError(line('failed', `${message}\n  Will retry.`, { message }));
    },
    end() {},
  };
}

/** Logs the outcome at the end. */
function summaryReporter(messages: Messages, json: boolean) {
  const events = new Set<WatchEvent['event']>();
  const has = (event: WatchEvent['event']) => events.has(event);
  return {
    onEvent: ({ event }: WatchEvent) => void events.add(event),
    onRecovery() {},
    onFailure() {},
    end() {
      if (json) printJson({ fired: has('fired'), first: has('first') }, 0);
      if (has('first')) logInfo(messages.first);
      logInfo(has('fired') ? messages.fired : 'Nothing to do: no change since the last deploy');
    },
  };
}
