/** From an edit in the CMS to the rebuilt site: how long, what was asked, which pages were made, and if it is right. */
import { symlinkSync } from 'node:fs';
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

const results: EndToEndResults = { machine: machineOf(), latency: LATENCY, contenders: [] };
for (const contender of await contenders()) {
  const { name, editor, site } = contender;
  const first = await build(contender, EDITED, 'Article 7');
  const nothing = await build(contender, EDITED, 'Article 7');
  editor.editArticle('An edited title');
  const article = await build(contender, EDITED, 'An edited title');
  editor.renameAuthor('A new name');
  const author = await build(contender, BY_AUTHOR, 'A new name');
  results.contenders.push({ name, builds: { first, nothing, article, author } });
  console.log(name, { first, nothing, article, author });
  site.remove();
}
if (!process.argv.includes('--quick')) writeResults('end-to-end', results);
process.exit();
