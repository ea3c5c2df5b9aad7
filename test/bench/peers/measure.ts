import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Case, CaseName } from './cases.ts';
import { loadOnce, type RemoteService, startRemoteService } from './child-processes.ts';
import type { Change } from './dataset.ts';
import type { LoadResult } from './load-child.ts';
import { KEYS } from './luid-service.ts';
import type { Counts } from './mock-service.ts';
import type { PeerName } from './peer.ts';

/** One load, as stored in results/peers.json. */
export interface Load extends Counts, LoadResult {
  readonly peer: PeerName;
  readonly size: number;
  readonly latency: number;
  readonly case: CaseName;
}

/** Milliseconds after which a load is aborted. */
export const TIMEOUT = 60_000;
const WARM_UP_TIMEOUT = 4_000;

/** What is loaded, with which loader. */
export interface Setup {
  readonly peer: PeerName;
  readonly size: number;
  readonly latency: number;
  readonly authors?: number;
  /** Megabytes of heap for each load; its store is then only counted. */
  readonly heap?: number;
  /** Whether to profile each load, which makes it slower. */
  readonly isProfiled?: boolean;
  /** Default: `TIMEOUT`. */
  readonly timeout?: number;
}

interface Plan extends Setup {
  readonly cases: readonly Case[];
}

/** Runs the cases of a loader one after the other. All but the cold one start from a correct store. */
export async function measure({ cases, ...setup }: Plan, onLoad: (load: Load) => void): Promise<void> {
  const measurement = await openMeasurement(setup);
  try {
    for (const current of cases) {
      const load = await measurement.run(current);
      onLoad(load);
      if (load.ended === 'timeout') return;
    }
  } finally {
    measurement.close();
  }
}

/** A service and a site, for cases in any order after a cold one. */
export interface Measurement {
  run(current: Case): Promise<Load>;
  close(): void;
}

export async function openMeasurement(setup: Setup): Promise<Measurement> {
  const { peer, size, latency, authors } = setup;
  const service = await startRemoteService(peer, size, authors);
  const site = createSite(setup, service);
  await site.warmUp();
  return {
    async run(current) {
      await site.prepare(current);
      const delay = current.latency ?? latency;
      await service.setLatency(delay);
      if (current.fault) await service.failNext(current.fault);
      return { peer, size, latency: delay, case: current.name, ...(await site.load(current)) };
    },
    close() {
      service.close();
      site.remove();
    },
  };
}

/** A site that is loaded repeatedly while its content changes. */
function createSite(setup: Setup, service: RemoteService) {
  const { peer: name, size, authors, heap, isProfiled, timeout: limit = TIMEOUT } = setup;
  const root = mkdtempSync(join(tmpdir(), 'astro-luid-bench-'));
  const folder = join(root, 'site');
  /** A copy of the folder after the last correct load. */
  const correctFolder = join(root, 'correct');
  const changes: Change[] = [];
  /** How many of the changes the correct folder contains. */
  let known = 0;
  let configVersion = 0;

  const load = (key: string, timeout: number) =>
    loadOnce({
      name,
      url: service.url,
      key,
      size,
      authors,
      heap,
      isProfiled,
      changes,
      known,
      folder,
      site: `https://${configVersion}.example`,
      timeout,
    });
  const clear = (path: string) => rmSync(path, { recursive: true, force: true });
  const saveAsCorrect = () => {
    clear(correctFolder);
    renameSync(folder, correctFolder);
    known = changes.length;
  };

  return {
    /** The first load warms up the new process of the service. */
    async warmUp() {
      await load(KEYS.warmUp, WARM_UP_TIMEOUT);
      // Requests of an aborted load may still be running and must not be counted.
      while ((await service.takeCounts()).requests > 0) await sleep(100);
    },
    async prepare({ cold, change, configChanged }: Case) {
      clear(folder);
      if (!cold) cpSync(correctFolder, folder, { recursive: true });
      if (configChanged) configVersion += 1;
      if (!change) return;
      const next = change(size / 2 + changes.length, changes.length);
      changes.push(next);
      await service.change(next);
    },
    async load({ fault }: Case): Promise<LoadResult & Counts> {
      await service.takeCounts();
      const loaded = await load(KEYS.measured, limit);
      const counts = await service.takeCounts();
      if (loaded.comparison.equals === 'current') saveAsCorrect();
      else if (heap) clear(folder);
      else if (!fault && loaded.ended !== 'timeout') {
        // Load again from scratch, so that this error does not affect the next case.
        clear(folder);
        await service.setLatency(0);
        await load(KEYS.measured, limit);
        saveAsCorrect();
      }
      return { ...counts, ...loaded };
    },
    remove: () => clear(root),
  };
}
