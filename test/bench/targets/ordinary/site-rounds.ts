import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type MeasuredSite, measuredSite, peerSite, storeText } from '../../end-to-end/build.ts';
import { EDITED_ARTICLE, FIRST_TITLE, luidService, pocketBaseService } from '../../end-to-end/services.ts';
import { oursWithoutBody, pocketBaseWithoutBody } from '../../end-to-end/sites.ts';
import { runMeasured } from '../../measured-command.ts';
import {
  type CaseName,
  HAND_WRITTEN,
  type Measurements,
  OURS,
  PLAIN_FETCH,
  POCKETBASE,
  type Size,
} from './measured.ts';
import { handWrittenToBuild, loadIn, oursToSync, plainFetchToSync } from './sites.ts';

/** Syncs sites and builds their pages, all of them in each case in each round. */
export async function measureSites(size: Size, rounds: number, measurements: Measurements): Promise<void> {
  const luid = await luidService({ articles: size, latency: 0 });
  const pocket = await pocketBaseService({ articles: size, latency: 0 });
  const synced = [measuredSite(OURS, oursToSync, luid), measuredSite(PLAIN_FETCH, plainFetchToSync, luid)];
  const built = [
    measuredSite(OURS, oursWithoutBody, luid),
    measuredSite(HAND_WRITTEN, handWrittenToBuild, luid),
    peerSite(POCKETBASE, POCKETBASE, pocketBaseWithoutBody, pocket),
  ];

  async function sync(measured: MeasuredSite, name: CaseName, title: string): Promise<void> {
    const { site, name: loader } = measured;
    if (name.startsWith('cold')) {
      for (const folder of ['.astro', 'node_modules/.astro'])
        rmSync(join(site.folder, folder), { recursive: true, force: true });
    }
    luid.editor.setLatency(name === 'cold at 50 ms' ? 50 : 0);
    const { output, ...usage } = await runMeasured(site, ['sync']);
    luid.editor.setLatency(0);
    if (!storeText(measured).includes(title)) throw new Error(`${loader}: the store lacks “${title}”`);
    measurements.add({ activity: 'load() in astro sync', name, loader }, loadIn(output));
    measurements.add({ activity: 'astro sync', name, loader }, usage);
  }

  /** With the same number of rendered articles, so that the same work is compared. */
  async function buildPages(measured: MeasuredSite, title: string, expected: number) {
    const { seconds, cpu = 0, correct, rendered } = await build(measured, EDITED_ARTICLE, title);
    if (!correct) throw new Error(`${measured.name}: the page of the article lacks “${title}”`);
    if (rendered !== expected)
      throw new Error(`${measured.name}: ${rendered} articles, not ${expected}, were rendered`);
    return { ms: 1000 * seconds, cpu: 1000 * cpu };
  }

  async function measureAll(name: CaseName, title: string): Promise<void> {
    for (const measured of synced) await sync(measured, name, title);
    if (name.startsWith('cold')) return;
    for (const measured of built) {
      const usage = await buildPages(measured, title, name === 'one edit' ? 1 : 0);
      measurements.add({ activity: 'astro build', name, loader: measured.name }, usage);
    }
  }

  try {
    for (const measured of built) await buildPages(measured, FIRST_TITLE, size);
    let title = FIRST_TITLE;
    for (let round = 0; round < rounds; round++) {
      for (const name of ['cold', 'cold at 50 ms', 'nothing changed'] as const) await measureAll(name, title);
      title = `${FIRST_TITLE}, ${round + 1}`;
      for (const { editor } of [luid, pocket]) editor.editArticle(title);
      await measureAll('one edit', title);
    }
  } finally {
    for (const { site } of [...synced, ...built]) site.remove();
  }
}
