import { build, type MeasuredSite, measuredSite, peerSite, storeSize } from '../end-to-end/build.ts';
import type { BuildResult } from '../end-to-end/end-to-end-section.ts';
import { EDITED_ARTICLE, luidService, pocketBaseService } from '../end-to-end/services.ts';
import { oursAsPocketBase, oursWithoutRawBody, pocketBase } from '../end-to-end/sites.ts';
import { describeUsage, judge, megabytes, ratios, type TargetBenchmark, times } from './target.ts';

const POCKETBASE = 'astro-loader-pocketbase';

/** `rendered`: how many articles have to be rendered, so that the same work is compared. */
async function buildCorrectly(
  measured: MeasuredSite,
  expected: string,
  rendered?: number,
): Promise<BuildResult> {
  const result = await build(measured, EDITED_ARTICLE, expected);
  if (rendered !== undefined && result.rendered !== rendered)
    throw new Error(`${measured.name}: ${result.rendered} articles were rendered, not ${rendered}`);
  if (!result.correct) throw new Error(`${measured.name}: the page of the article lacks “${expected}”`);
  return result;
}

function describe(name: string, builds: readonly BuildResult[]): string {
  return describeUsage(
    name,
    builds.map(({ seconds, cpu = 0, peak = 0 }) => ({ ms: 1000 * seconds, cpu: 1000 * cpu, peak })),
  );
}

/** The same pages and content, with HTML, from both loaders; once more without the raw body, which no page uses. */
const builds: TargetBenchmark = {
  name: 'build',
  async run(rounds) {
    const luid = await luidService();
    const sites = {
      pocketBase: peerSite(POCKETBASE, POCKETBASE, pocketBase, await pocketBaseService()),
      whole: measuredSite('astro-luid', oursAsPocketBase, luid),
      withoutRawBody: measuredSite('astro-luid without the raw body', oursWithoutRawBody, luid),
    };
    type Name = keyof typeof sites;
    const names = Object.keys(sites) as Name[];
    const none = () => Object.fromEntries(names.map((name) => [name, []])) as unknown as Builds;
    type Builds = Record<Name, BuildResult[]>;
    try {
      for (const name of names) await buildCorrectly(sites[name], 'Article 7');
      const unchanged = none();
      const edited = none();
      let title = 'Article 7';
      for (let round = 1; round <= rounds; round++) {
        for (const name of names) unchanged[name].push(await buildCorrectly(sites[name], title, 0));
        title = `An edited title ${round}`;
        for (const { editor } of [sites.pocketBase, sites.whole]) editor.editArticle(title);
        for (const name of names) edited[name].push(await buildCorrectly(sites[name], title, 1));
      }
      const compared = (what: string, builds: Builds, name: Exclude<Name, 'pocketBase'>) =>
        judge({
          what: `\`astro build\`, 2,000 pages, ${what}: time of ${sites[name].name} compared with ${POCKETBASE}`,
          values: ratios(
            builds[name].map(({ seconds }) => seconds),
            builds.pocketBase.map(({ seconds }) => seconds),
          ),
          limit: 1,
          format: times,
          figures: `${describe(sites[name].name, builds[name])}; ${describe(POCKETBASE, builds.pocketBase)}`,
        });
      const size = (name: Exclude<Name, 'pocketBase'>) =>
        judge({
          what: `Astro’s store, the same content: size with ${sites[name].name} compared with ${POCKETBASE}`,
          values: [storeSize(sites[name]) / storeSize(sites.pocketBase)],
          limit: 1.1,
          format: times,
          figures: `${sites[name].name}: ${megabytes(storeSize(sites[name]))}; ${POCKETBASE}: ${megabytes(storeSize(sites.pocketBase))}`,
        });
      return (['whole', 'withoutRawBody'] as const).flatMap((name) => [
        compared('nothing changed', unchanged, name),
        compared('one edit', edited, name),
        size(name),
      ]);
    } finally {
      for (const { site } of Object.values(sites)) site.remove();
    }
  },
};

export const BUILD_TARGETS: readonly TargetBenchmark[] = [builds];
