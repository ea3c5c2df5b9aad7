/** Measures builds after edits in the CMS: time, requests, rendered pages, and whether the result is correct. */
import { readMachine } from '../machine.ts';
import { writeResults } from '../results.ts';
import { build, type MeasuredSite, measuredSite, peerSite, storeSize } from './build.ts';
import type { BuildResult, EndToEndResults } from './end-to-end-section.ts';
import {
  ARTICLE_BY_AUTHOR,
  EDITED_ARTICLE,
  FIRST_TITLE,
  LATENCY,
  luidService,
  pocketBaseService,
} from './services.ts';
import { handWritten, ours, oursAsPocketBase, pocketBase } from './sites.ts';

const isQuick = process.argv.includes('--quick');
/** Builds of each kind: the middle is used, because a build takes seconds and the machine does other work meanwhile. */
const BUILDS = isQuick ? 1 : 3;

async function createSites(): Promise<MeasuredSite[]> {
  return [
    measuredSite('hand-written loader, full build', handWritten, await luidService()),
    peerSite(
      'astro-loader-pocketbase, incremental build',
      'astro-loader-pocketbase',
      pocketBase,
      await pocketBaseService(),
    ),
    measuredSite('astro-luid, HTML and the same pages as PocketBase', oursAsPocketBase, await luidService()),
    measuredSite('astro-luid, incremental build', ours, await luidService()),
  ];
}

async function medianBuild(edit: () => string, page: number, measured: MeasuredSite): Promise<BuildResult> {
  const builds: BuildResult[] = [];
  for (let n = 0; n < BUILDS; n++) builds.push(await build(measured, page, edit()));
  const correct = builds.every((result) => result.correct);
  builds.sort((a, b) => a.seconds - b.seconds);
  return { ...(builds[BUILDS >> 1] as BuildResult), correct };
}

const results: EndToEndResults = { machine: readMachine(), latency: LATENCY, sites: [] };
let edits = 0;
for (const measured of await createSites()) {
  const { name, editor, site } = measured;
  const first = await build(measured, EDITED_ARTICLE, FIRST_TITLE);
  const unchanged = await medianBuild(() => FIRST_TITLE, EDITED_ARTICLE, measured);
  const article = await medianBuild(
    () => {
      const title = `An edited title ${++edits}`;
      editor.editArticle(title);
      return title;
    },
    EDITED_ARTICLE,
    measured,
  );
  const author = await medianBuild(
    () => {
      const newName = `A new name ${++edits}`;
      editor.renameAuthor(newName);
      return newName;
    },
    ARTICLE_BY_AUTHOR,
    measured,
  );
  results.sites.push({ name, store: storeSize(measured), builds: { first, unchanged, article, author } });
  console.log(name, { first, unchanged, article, author });
  site.remove();
}
if (!isQuick) writeResults('end-to-end', results);
process.exit();
