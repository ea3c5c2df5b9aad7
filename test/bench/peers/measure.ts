import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Case, CaseName } from './cases.ts';
import type { Change } from './corpus.ts';
import type { Loaded } from './load-child.ts';
import { KEYS } from './luid-service.ts';
import type { PeerName } from './peer.ts';
import { loadOnce, type RemoteService, startRemoteService } from './processes.ts';
import type { Counts } from './service.ts';

/** One load, as it is kept in results/peers.json. */
export interface Load extends Counts, Loaded {
  readonly peer: PeerName;
  readonly size: number;
  readonly latency: number;
  readonly case: CaseName;
}

/** Milliseconds after which a load is given up. */
export const LIMIT = 60_000;
const WARM_UP = 4_000;

interface Plan {
  readonly peer: PeerName;
  readonly size: number;
  readonly latency: number;
  readonly cases: readonly Case[];
}

/** Runs the cases of a loader, one after the other. Each but the cold one starts from a store that is right. */
export async function measure(
  { peer, size, latency, cases }: Plan,
  onLoad: (load: Load) => void,
): Promise<void> {
  const service = await startRemoteService(peer, size);
  const site = createSite(peer, size, service);
  try {
    await site.warmUp();
    for (const one of cases) {
      await site.prepare(one);
      await service.setLatency(latency);
      if (one.fault) await service.failNext(one.fault);
      const load = { peer, size, latency, case: one.name, ...(await site.load(one)) };
      onLoad(load);
      if (load.ended === 'too long') return;
    }
  } finally {
    service.close();
    site.remove();
  }
}

/** A site that is built again and again while its content changes. */
function createSite(name: PeerName, size: number, service: RemoteService) {
  const root = mkdtempSync(join(tmpdir(), 'astro-luid-bench-'));
  /** Where a load works, and the last one that was right. */
  const folder = join(root, 'site');
  const good = join(root, 'good');
  const changes: Change[] = [];
  /** How many of the changes the good one has seen. */
  let known = 0;
  let configs = 0;

  const load = (key: string, limit: number) =>
    loadOnce({
      name,
      url: service.url,
      key,
      size,
      changes,
      known,
      folder,
      site: `https://${configs}.example`,
      limit,
    });
  const clear = (path: string) => rmSync(path, { recursive: true, force: true });
  const keep = () => {
    clear(good);
    renameSync(folder, good);
    known = changes.length;
  };

  return {
    /** The process of the service is new, and the first load would measure how it warms up. */
    async warmUp() {
      await load(KEYS.warmUp, WARM_UP);
      // A load that was given up may leave requests behind, which are not to be counted.
      while ((await service.takeCounts()).requests > 0) await sleep(100);
    },
    async prepare({ cold, change, configChanged }: Case) {
      clear(folder);
      if (!cold) cpSync(good, folder, { recursive: true });
      if (configChanged) configs += 1;
      if (!change) return;
      const next = change(size / 2 + changes.length, changes.length);
      changes.push(next);
      await service.change(next);
    },
    async load({ fault }: Case): Promise<Loaded & Counts> {
      await service.takeCounts();
      const loaded = await load(KEYS.measured, LIMIT);
      const counts = await service.takeCounts();
      if (loaded.verdict.equals === 'now') keep();
      else if (!fault && loaded.ended !== 'too long') {
        // What this load did not see must not be held against the next.
        clear(folder);
        await service.setLatency(0);
        await load(KEYS.measured, LIMIT);
        keep();
      }
      return { ...counts, ...loaded };
    },
    remove: () => clear(root),
  };
}
