import { build, type MeasuredSite, measuredSite, peerSite, storeSize } from '../end-to-end/build.ts';
import type { BuildResult } from '../end-to-end/end-to-end-section.ts';
import { EDITED_ARTICLE, luidService, pocketBaseService } from '../end-to-end/services.ts';
import { oursAsPocketBase, pocketBase } from '../end-to-end/sites.ts';
import { describeUsage, judge, megabytes, ratios, type TargetBenchmark, times } from './target.ts';

const POCKETBASE = 'astro-loader-pocketbase';

async function buildCorrectly(measured: MeasuredSite, expected: string): Promise<BuildResult> {
  const result = await build(measured, EDITED_ARTICLE, expected);
  if (!result.correct) throw new Error(`${measured.name}: the page of the article lacks “${expected}”`);
  return result;
}

function describe(name: string, builds: readonly BuildResult[]): string {
  return describeUsage(
    name,
    builds.map(({ seconds, cpu = 0, peak = 0 }) => ({ ms: 1000 * seconds, cpu: 1000 * cpu, peak })),
  );
}

/** The same pages and content, with HTML, from both loaders. */
const builds: TargetBenchmark = {
  name: 'build',
  async run(rounds) {
    const sites = [
      measuredSite('astro-luid', oursAsPocketBase, await luidService()),
      peerSite(POCKETBASE, POCKETBASE, pocketBase, await pocketBaseService()),
    ];
    try {
      for (const measured of sites) await buildCorrectly(measured, 'Article 7');
      const unchanged: BuildResult[][] = sites.map(() => []);
      const edited: BuildResult[][] = sites.map(() => []);
      let title = 'Article 7';
      for (let round = 1; round <= rounds; round++) {
        for (const [n, site] of sites.entries()) unchanged[n]?.push(await buildCorrectly(site, title));
        title = `An edited title ${round}`;
        for (const [n, site] of sites.entries()) {
          site.editor.editArticle(title);
          edited[n]?.push(await buildCorrectly(site, title));
        }
      }
      const [oursSize = 0, theirSize = 0] = sites.map(storeSize);
      const compared = (what: string, [ours = [], theirs = []]: BuildResult[][]) =>
        judge({
          what: `\`astro build\`, 2,000 pages, ${what}: time compared with ${POCKETBASE}`,
          values: ratios(
            ours.map(({ seconds }) => seconds),
            theirs.map(({ seconds }) => seconds),
          ),
          limit: 1,
          format: times,
          figures: `${describe('astro-luid', ours)}; ${describe(POCKETBASE, theirs)}`,
        });
      return [
        compared('nothing changed', unchanged),
        compared('one edit', edited),
        judge({
          what: `Astro’s store, the same content: size compared with ${POCKETBASE}`,
          values: [oursSize / theirSize],
          limit: 1.1,
          format: times,
          figures: `astro-luid: ${megabytes(oursSize)}; ${POCKETBASE}: ${megabytes(theirSize)}`,
        }),
      ];
    } finally {
      for (const { site } of sites) site.remove();
    }
  },
};

export const BUILD_TARGETS: readonly TargetBenchmark[] = [builds];
