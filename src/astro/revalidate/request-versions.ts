import { AsyncLocalStorage } from 'node:async_hooks';
import { shareInProcess } from '../../process-registry.ts';
import { liveSources, type RequestVersions } from '../live/live-sources.ts';

/** One for all copies of this package: the registry of live sources has one way to find the current request. */
const requests = () =>
  shareInProcess('request-versions', () => {
    const storage = new AsyncLocalStorage<RequestVersions>();
    const sources = liveSources();
    sources.currentRequest = () => storage.getStore();
    sources.outsideRequests = (run) => storage.exit(run);
    return storage;
  });

/** Runs a function, and everything that it starts, with one version of each live source. */
export function withOneVersion<T>(run: (versions: RequestVersions) => T): T {
  const storage = requests();
  // A rewrite runs the middleware again, within the same request.
  const versions: RequestVersions = storage.getStore() ?? new Map();
  return storage.run(versions, () => run(versions));
}
