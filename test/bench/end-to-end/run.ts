/** Measures builds after edits in the CMS: time, requests, rendered pages, and whether the result is correct. */
import { statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../../src/emulator/index.ts';
import { createSite, type Site } from '../../e2e/site.ts';
import { readMachine } from '../machine.ts';
import { type Counts, pageOf, startService } from '../peers/mock-service.ts';
import { writeResults } from '../results.ts';
import type { BuildResult, EndToEndResults } from './end-to-end-section.ts';
import { FIRST_ARTICLE, IMAGE_FILES_DIR, type Record, records, seed } from './magazine-data.ts';
import { handWritten, ours, pocketBase } from './sites.ts';

const LATENCY = 50;
const EDITED_AUTHOR = 3;
const ARTICLE_BY_AUTHOR = FIRST_ARTICLE + EDITED_AUTHOR - 1;
const EDITED_ARTICLE = FIRST_ARTICLE + 7;

/** The service of a site, as its editors use it. */
interface Editor {
  editArticle(title: string): void;
  renameAuthor(name: string): void;
  takeCounts(): Counts;
}

interface MeasuredSite {
  readonly name: string;
  readonly site: Site;
  readonly editor: Editor;
}

async function luidEditor() {
  const service = await startEmulator(seed, {
    rateLimit: false,
    directory: IMAGE_FILES_DIR,
    latency: LATENCY,
  });
  const editor: Editor = {
    editArticle: (title) => service.contents.edit(EDITED_ARTICLE, { title }),
    renameAuthor: (name) => service.contents.edit(EDITED_AUTHOR, { name }),
    takeCounts() {
      const { log } = service;
      service.clearLog();
      return { requests: log.length, bytes: log.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
  };
  const env = { LUID_BASE_URL: service.baseUrl, LUID_ASSETS_URL: service.assetsUrl, LUID_API_KEY: 'k' };
  return { editor, env };
}

async function pocketBaseEditor() {
  const service = await startService(
    ({ pathname, searchParams }) => {
      const [, collection = ''] = /collections\/(\w+)\/records/.exec(pathname) ?? [];
      const [, since] = /updated>"([^"]*)"/.exec(searchParams.get('filter') ?? '') ?? [];
      const found = (records[collection] ?? []).filter(({ updated }) => !since || updated > since);
      const [page, perPage] = ['page', 'perPage'].map((name) => Number(searchParams.get(name)));
      const { items, pages } = pageOf(found, page ?? 1, perPage ?? 100);
      const shape = (record: Record) =>
        searchParams.get('fields') === 'id'
          ? { id: record.id }
          : { collectionId: collection, collectionName: collection, ...record };
      return {
        body: { page, perPage, totalItems: found.length, totalPages: pages, items: items.map(shape) },
      };
    },
    () => {},
  );
  service.setLatency(LATENCY);
  const change = (collection: string, id: number, fields: object) => {
    const updated = new Date().toISOString().replace('T', ' ');
    const record = records[collection]?.find((candidate) => Number(candidate.id) === id);
    Object.assign(record as object, fields, { updated });
  };
  const editor: Editor = {
    editArticle: (title) => change('articles', EDITED_ARTICLE, { title }),
    renameAuthor: (name) => change('authors', EDITED_AUTHOR, { name }),
    takeCounts: () => service.takeCounts(),
  };
  return { editor, env: { POCKETBASE_URL: service.url } };
}

async function createSites(): Promise<MeasuredSite[]> {
  const [handWrittenService, pocketBaseService, luidService] = [
    await luidEditor(),
    await pocketBaseEditor(),
    await luidEditor(),
  ];
  const pocketBaseSite = createSite(pocketBase, pocketBaseService.env);
  for (const name of ['astro-loader-pocketbase'])
    symlinkSync(
      join(import.meta.dirname, '../node_modules', name),
      join(pocketBaseSite.folder, 'node_modules', name),
    );
  return [
    {
      name: 'hand-written loader, full build',
      site: createSite(handWritten, handWrittenService.env),
      editor: handWrittenService.editor,
    },
    {
      name: 'astro-loader-pocketbase, incremental build',
      site: pocketBaseSite,
      editor: pocketBaseService.editor,
    },
    {
      name: 'astro-luid, incremental build',
      site: createSite(ours, luidService.env),
      editor: luidService.editor,
    },
  ];
}

async function build({ site, editor }: MeasuredSite, page: number, expected: string): Promise<BuildResult> {
  editor.takeCounts();
  const start = performance.now();
  const log = await site.astro(['build', '--verbose']);
  const seconds = (performance.now() - start) / 1000;
  const renderedLines = log
    .split('\n')
    .filter((line) => /[├└]─/.test(line) && !/restored|cached|unchanged/i.test(line));
  const rendered = renderedLines.filter((line) => /\/articles\/\d+\//.test(line)).length;
  const correct = site.built(`articles/${page}/index.html`).includes(expected);
  return { seconds, rendered, correct, ...editor.takeCounts() };
}

/** The median of three builds, because a build takes seconds and the machine does other work meanwhile. */
async function medianBuild(edit: () => string, page: number, measured: MeasuredSite): Promise<BuildResult> {
  const builds: BuildResult[] = [];
  for (let n = 0; n < 3; n++) builds.push(await build(measured, page, edit()));
  const correct = builds.every((result) => result.correct);
  builds.sort((a, b) => a.seconds - b.seconds);
  return { ...(builds[1] as BuildResult), correct };
}

/** Bytes of Astro's data store, which every build reads, bundles and writes. */
const storeSize = ({ folder }: Site) => statSync(join(folder, 'node_modules/.astro/data-store.json')).size;

const results: EndToEndResults = { machine: readMachine(), latency: LATENCY, sites: [] };
let edits = 0;
for (const measured of await createSites()) {
  const { name, editor, site } = measured;
  const first = await build(measured, EDITED_ARTICLE, 'Article 7');
  const unchanged = await medianBuild(() => 'Article 7', EDITED_ARTICLE, measured);
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
  results.sites.push({ name, store: storeSize(site), builds: { first, unchanged, article, author } });
  console.log(name, { first, unchanged, article, author });
  site.remove();
}
if (!process.argv.includes('--quick')) writeResults('end-to-end', results);
process.exit();
