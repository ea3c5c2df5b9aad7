import type { AddressInfo } from 'node:net';
import { relative } from 'node:path';
import { defineCommand } from '../shared/command.ts';
import { exitOnSignals } from '../shared/exit-on-signals.ts';
import { loadSpace } from '../shared/load-space.ts';
import { openCache } from '../shared/open-cache.ts';
import { logError, logInfo, logWarning, printJson, styled } from '../shared/output.ts';
import { AnnouncedChecks, listenForEvents } from './announced-checks.ts';
import type { Hook } from './hook.ts';
import { watchOnce, watchUntilStopped } from './watch-loop.ts';
import { checkCombination, createHook, listenSecret, WATCH, type WatchOptions } from './watch-options.ts';
import { openWatchState } from './watch-state.ts';
import { openWatchedContent } from './watched-content.ts';
import { type WatchEvent, Watcher } from './watcher.ts';

export const watchCommand = defineCommand(WATCH, watch);

async function watch(options: WatchOptions): Promise<number> {
  checkCombination(options);
  const { listen, settle = 20_000, drafts, once } = options;
  const { every = listen === undefined ? 30_000 : 300_000 } = options;
  const { space, path, dir } = await loadSpace(options);
  const hook = createHook(options, dir);
  const secret = listen === undefined ? '' : listenSecret();
  const cache = await openCache(space, dir, options['cache-dir']);

  const stop = new AbortController();
  const { signal } = stop;
  const finish = async () => {
    stop.abort();
    await cache.close();
  };
  // SIGTERM is the normal way to stop a watcher, but interrupts a single run.
  const removeSignalHandlers = exitOnSignals(finish, once ? 143 : 0);

  const { baseUrl, clock } = await space.connect({ drafts })();
  const identity = {
    target: hook.identity,
    baseUrl,
    space: space.settings.space,
    drafts,
    file: options.space && relative(dir, path),
    exportName: options.export,
  };
  const reporter = (once ? summaryReporter : lineReporter)(hook, options);
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
  const events = listen === undefined ? undefined : new AnnouncedChecks(clock);
  const server =
    events &&
    (await listenForEvents({
      port: listen ?? 0,
      secret,
      header: options.header,
      onEvent: () => events.add(),
      logger: { error: logError },
    }));
  signal.addEventListener('abort', () => {
    events?.close();
    server?.close();
    server?.closeAllConnections();
  });
  if (server) reporter.onListening((server.address() as AddressInfo).port);
  if (!once) await watchUntilStopped(watcher, { every, clock, signal, events, ...reporter });
  else if (options['if-changed']) await watchOnce(watcher, { clock, signal });
  else await watcher.fireAlways();
  reporter.end();
  removeSignalHandlers();
  return 0;
}

function messageOf(event: WatchEvent, { name }: Hook, options: WatchOptions): string {
  if (event === 'changed') return 'Content has changed';
  if (event === 'fired') return `Called ${name}`;
  if (options.once && !options['if-changed'])
    return 'No earlier deploy known (--if-changed would call the hook only after a change)';
  return options['fire-first']
    ? 'No earlier deploy known: --fire-first calls the hook'
    : 'No earlier deploy known: assuming that the current content is deployed (--fire-first calls the hook instead)';
}

/** Logs a line per event. */
function lineReporter(hook: Hook, options: WatchOptions) {
  const line = (event: string, text: string, more = {}) => {
    const at = new Date();
    if (options.json) printJson({ at: at.toISOString(), event, ...more }, 0);
    return `${styled('dim', at.toTimeString().slice(0, 8))} ${text}`;
  };
  logInfo(line('watching', `Watching for changes; will call ${hook.name}`));
  return {
    onEvent: (event: WatchEvent) => logInfo(line(event, messageOf(event, hook, options))),
    onListening: (port: number) =>
      logInfo(line('listening', `Listening for events on port ${port}: POST /_luid/refresh`, { port })),
    onRecovery: () => logInfo(line('recovered', 'Checking for changes works again')),
    onFailure(error: unknown) {
      const message = error instanceof Error ? error.message : String(error);
      logError(line('failed', `${message}\n  Will retry.`, { message }));
    },
    end() {},
  };
}

/** Logs the outcome at the end. */
function summaryReporter(hook: Hook, options: WatchOptions) {
  const events = new Set<WatchEvent>();
  return {
    onEvent: (event: WatchEvent) => void events.add(event),
    onListening() {},
    onRecovery() {},
    onFailure() {},
    end() {
      const [fired, first] = [events.has('fired'), events.has('first')];
      if (options.json) printJson({ fired, first }, 0);
      if (first) logInfo(messageOf('first', hook, options));
      const nothing = 'Nothing to do: no change since the last deploy';
      logInfo(fired ? messageOf('fired', hook, options) : nothing);
    },
  };
}
