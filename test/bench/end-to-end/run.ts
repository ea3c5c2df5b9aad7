/** From an edit in the CMS to the rebuilt site: how long, what was asked, which pages were made, and if it is right. */
import { statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../../src/emulator/index.ts';
import { createSite, type Site } from '../../e2e/site.ts';
import { machineOf } from '../machine.ts';
import { type Counts, pageOf, startService } from '../peers/service.ts';
import { writeResults } from '../results.ts';
import { FIRST_ARTICLE, PICTURES, type Record, records, seed } from './magazine.ts';
import type { BuildResult, EndToEndResults } from './section.ts';
import { handWritten, ours, pocketBase } from './sites.ts';

const LATENCY = 50;
const AUTHOR = 3;
const BY_AUTHOR = FIRST_ARTICLE + AUTHOR - 1;
const EDITED = FIRST_ARTICLE + 7;

/** The service behind a site, and what an editor does there. */
interface Editor {
  editArticle(title: string): void;
  renameAuthor(name: string): void;
  takeCounts(): Counts;
}

interface Contender {
  readonly name: string;
  readonly site: Site;
  readonly editor: Editor;
}

async function luidEditor() {
  const service = await startEmulator(seed, { rateLimit: false, directory: PICTURES, latency: LATENCY });
  const editor: Editor = {
    editArticle: (title) => service.contents.edit(EDITED, { title }),
    renameAuthor: (name) => service.contents.edit(AUTHOR, { name }),
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
    const record = records[collection]?.find((one) => Number(one.id) === id);
    Object.assign(record as object, fields, { updated });
  };
  const editor: Editor = {
    editArticle: (title) => change('articles', EDITED, { title }),
    renameAuthor: (name) => change('authors', AUTHOR, { name }),
    takeCounts: () => service.takeCounts(),
  };
  return { editor, env: { POCKETBASE_URL: service.url } };
}

async function contenders(): Promise<Contender[]> {
  const [first, second, third] = [await luidEditor(), await pocketBaseEditor(), await luidEditor()];
  const peer = createSite(pocketBase, second.env);
  for (const name of ['astro-loader-pocketbase'])
    symlinkSync(join(import.meta.dirname, '../node_modules', name), join(peer.folder, 'node_modules', name));
  return [
    {
      name: 'a loader by hand, everything built',
      site: createSite(handWritten, first.env),
      editor: first.editor,
    },
    { name: 'astro-loader-pocketbase, incremental build', site: peer, editor: second.editor },
    { name: 'astro-luid, incremental build', site: createSite(ours, third.env), editor: third.editor },
  ];
}

async function build({ site, editor }: Contender, page: number, expected: string): Promise<BuildResult> {
  editor.takeCounts();
  const start = performance.now();
  const log = await site.astro(['build', '--verbose']);
  const seconds = (performance.now() - start) / 1000;
  const made = log
    .split('\n')
    .filter((line) => /[├└]─/.test(line) && !/restored|cached|unchanged/i.test(line));
  const rendered = made.filter((line) => /\/articles\/\d+\//.test(line)).length;
  const right = site.built(`articles/${page}/index.html`).includes(expected);
  return { seconds, rendered, right, ...editor.takeCounts() };
}

/** The middle one of three, since what else a machine does shows in builds of seconds. */
async function often(edit: () => string, page: number, contender: Contender): Promise<BuildResult> {
  const builds: BuildResult[] = [];
  for (let n = 0; n < 3; n++) builds.push(await build(contender, page, edit()));
  const right = builds.every((one) => one.right);
  builds.sort((a, b) => a.seconds - b.seconds);
  return { ...(builds[1] as BuildResult), right };
}

/** Bytes of what Astro keeps of the content between builds, and reads, bundles and writes in each. */
const storeOf = ({ folder }: Site) => statSync(join(folder, 'node_modules/.astro/data-store.json')).size;

const results: EndToEndResults = { machine: machineOf(), latency: LATENCY, contenders: [] };
let edits = 0;
for (const contender of await contenders()) {
  const { name, editor, site } = contender;
  const first = await build(contender, EDITED, 'Article 7');
  const nothing = await often(() => 'Article 7', EDITED, contender);
  const article = await often(
    () => {
      const title = `An edited title ${++edits}`;
      editor.editArticle(title);
      return title;
    },
    EDITED,
    contender,
  );
  const author = await often(
    () => {
      const pen = `A new name ${++edits}`;
      editor.renameAuthor(pen);
      return pen;
    },
    BY_AUTHOR,
    contender,
  );
  results.contenders.push({ name, store: storeOf(site), builds: { first, nothing, article, author } });
  console.log(name, { first, nothing, article, author });
  site.remove();
}
if (!process.argv.includes('--quick')) writeResults('end-to-end', results);
process.exit();
