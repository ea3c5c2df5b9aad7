import { createServer, type Server } from 'node:http';
import { refreshEndpoint } from '../../astro/dev/refresh-endpoint.ts';
import type { Clock } from '../../client/http/clock.ts';
import { runAfter } from '../../client/http/clock.ts';
import { createSlidingWindow } from '../../client/http/limits/sliding-window.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { EventChecks } from '../../shared/event-checks.ts';
import type { Watcher } from './watcher.ts';

/** Lets events end the sleep of the loop of checks, so that the next check begins at once. */
export class AnnouncedChecks {
  readonly #clock: Clock;
  readonly #checks: EventChecks<boolean>;
  /** What waits for the next check of the loop. */
  #announced: PromiseWithResolvers<boolean> | undefined;
  #wake = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#checks = new EventChecks<boolean>({
      check: () => {
        this.#announced = Promise.withResolvers();
        this.#wake();
        return this.#announced.promise;
      },
      hasFound: (hasChanged) => hasChanged,
      schedule: (run, delay) => runAfter(clock, delay, run),
      now: () => clock.now(),
    });
  }

  /** An event has arrived. Resolves when a check that began after it has ended. */
  async add(): Promise<void> {
    await this.#checks.add();
  }

  /** A check of the loop: bypassing the CDN, if an event has announced a change. */
  async check(watcher: Pick<Watcher, 'check' | 'checkAnnounced'>): Promise<void> {
    const announced = this.#announced;
    this.#announced = undefined;
    if (!announced) return watcher.check();
    try {
      announced.resolve(await watcher.checkAnnounced());
    } catch (error) {
      announced.reject(error);
      throw error;
    }
  }

  /** Ends at once if an event wants a check. */
  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#announced) return;
    const event = new AbortController();
    this.#wake = () => event.abort();
    await this.#clock.sleep(milliseconds, AbortSignal.any([signal, event.signal])).catch(() => {});
    this.#wake = () => {};
    signal.throwIfAborted();
  }

  close(): void {
    this.#checks.close();
  }
}

export interface ListenOptions {
  readonly port: number;
  readonly secret: string;
  /** A header with the secret, besides the usual ones. */
  readonly header: string | undefined;
  readonly onEvent: () => Promise<void>;
  readonly logger: { error(message: string): void };
}

/** Receives events as `POST /_luid/refresh`, on all addresses of this machine. */
export async function listenForEvents({ port, onEvent, ...options }: ListenOptions): Promise<Server> {
  const refusals = createSlidingWindow(100, 60_000);
  const handle = refreshEndpoint({ ...options, base: '/', refusals, refresh: onEvent });
  const server = createServer((request, response) => {
    void handle(request, response, () => response.writeHead(404).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `luid watch cannot listen on port ${port}: ${cause.message}`;
      reject(new LuidConfigError(message, { hint: 'Choose another port.', cause }));
    });
    server.listen(port, resolve);
  });
  return server;
}
