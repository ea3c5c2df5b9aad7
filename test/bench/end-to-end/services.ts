import { startEmulator } from '../../../src/emulator/index.ts';
import { type Counts, pageOf, startService } from '../peers/mock-service.ts';
import { titleOf } from '../text.ts';
import {
  ARTICLES,
  FIRST_ARTICLE,
  IMAGE_FILES_DIR,
  magazineRecords,
  type Record,
  seedOf,
} from './magazine-data.ts';

export const LATENCY = 50;
/** What a service contains, and how long each response takes. */
const MAGAZINE = { articles: ARTICLES, latency: LATENCY };
const EDITED_AUTHOR = 3;
export const ARTICLE_BY_AUTHOR = FIRST_ARTICLE + EDITED_AUTHOR - 1;
export const EDITED_ARTICLE = FIRST_ARTICLE + 7;
/** The title of that article before the first edit. */
export const FIRST_TITLE = titleOf(7);

/** The service of a site, as its editors use it. */
export interface Editor {
  editArticle(title: string): void;
  renameAuthor(name: string): void;
  setLatency(milliseconds: number): void;
  takeCounts(): Counts;
}

/** A service, and the environment of a site that uses it. */
export interface EditedService {
  readonly editor: Editor;
  readonly env: NodeJS.ProcessEnv;
}

export async function luidService({ articles, latency } = MAGAZINE): Promise<EditedService> {
  const service = await startEmulator(seedOf(articles), {
    rateLimit: false,
    directory: IMAGE_FILES_DIR,
    latency,
  });
  const editor: Editor = {
    editArticle: (title) => service.contents.edit(EDITED_ARTICLE, { title }),
    renameAuthor: (name) => service.contents.edit(EDITED_AUTHOR, { name }),
    setLatency(milliseconds) {
      service.latency = milliseconds;
    },
    takeCounts() {
      const { log } = service;
      service.clearLog();
      return { requests: log.length, bytes: log.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
  };
  const env = { LUID_BASE_URL: service.baseUrl, LUID_ASSETS_URL: service.assetsUrl, LUID_API_KEY: 'k' };
  return { editor, env };
}

export async function pocketBaseService({ articles, latency } = MAGAZINE): Promise<EditedService> {
  const records = magazineRecords(articles);
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
  service.setLatency(latency);
  const change = (collection: string, id: number, fields: object) => {
    const updated = new Date().toISOString().replace('T', ' ');
    const record = records[collection]?.find((candidate) => Number(candidate.id) === id);
    Object.assign(record as object, fields, { updated });
  };
  const editor: Editor = {
    editArticle: (title) => change('articles', EDITED_ARTICLE, { title }),
    renameAuthor: (name) => change('authors', EDITED_AUTHOR, { name }),
    setLatency: service.setLatency,
    takeCounts: () => service.takeCounts(),
  };
  return { editor, env: { POCKETBASE_URL: service.url } };
}
