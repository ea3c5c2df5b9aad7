import type { WriteResult } from '../../contract/content.ts';
import { loadHtmlReader } from '../fields/formats.ts';
import { notFound } from '../http/refusal.ts';
import type { House } from '../http/service-context.ts';
import type { SeedKey } from '../state/seed.ts';
import { readForm, readObject } from './body.ts';
import {
  createContent,
  duplicateContent,
  parseWriteFormat,
  patchContent,
  replaceContent,
  targetOf,
  type Writing,
} from './write-contents.ts';
import { mediaOf, readUpload } from './write-media.ts';

/** A write on its way: who sent what to whom. */
interface Order {
  readonly request: Request;
  readonly url: URL;
  readonly key: SeedKey;
  readonly house: House;
  /** Of the path; empty where it has none. */
  readonly id: string;
}

type Carry = (order: Order) => Promise<WriteResult>;

/** §4.3 to §4.8, by method and path. */
const ROUTES: ReadonlyMap<string, Carry> = new Map<string, Carry>([
  [
    'POST contents',
    async (order) => {
      const writing = await readWriting(order);
      const id = claim(order.house);
      return order.house.ledger.commit(() => createContent(writing(), id));
    },
  ],
  ['PUT contents :id', replace],
  [
    'PATCH contents :id',
    async (order) => {
      const writing = await readWriting(order);
      return order.house.ledger.commit(() => patchContent(order.id, writing()));
    },
  ],
  [
    'POST contents :id duplicate',
    async (order) => {
      const id = claim(order.house);
      return order.house.ledger.commit(() => duplicateContent(order.id, writingOf(order), id));
    },
  ],
  [
    'POST media',
    async ({ request, url, house }) => {
      const form = await readForm(request, house.maxUpload);
      const { media, bytes } = await readUpload(form, new Map(url.searchParams), house.state);
      return house.ledger.upload(media, bytes);
    },
  ],
  [
    'DELETE media :id',
    async ({ id, house }) => house.ledger.commit(() => ({ gone: { media: mediaOf(id, house.state) } })),
  ],
]);

/** §4.9: those of which only the names are known. */
const GUESSES: ReadonlyMap<string, Carry> = new Map<string, Carry>([
  [
    'DELETE contents :id',
    async (order) =>
      order.house.ledger.commit(() => ({ gone: { item: targetOf(order.id, writingOf(order)) } })),
  ],
  ['POST contents :id drafts', (order) => replace(order, { published: 'false' })],
]);

const PATH = /^\/v1\/(contents|media)(?:\/([^/]+)(?:\/([^/]+))?)?\/?$/;

/** Carries out a write that was authenticated and counted. */
export async function write(request: Request, url: URL, key: SeedKey, house: House): Promise<WriteResult> {
  const [, kind, id, action] = PATH.exec(url.pathname) ?? [];
  const route = [request.method, kind, id && ':id', action].filter(Boolean).join(' ');
  const guess = house.assumptions.endpointsByName === 'guess' ? GUESSES.get(route) : undefined;
  const carry = ROUTES.get(route) ?? guess;
  if (!carry) throw notFound();
  return carry({ request, url, key, house, id: id ?? '' });
}

async function replace(order: Order, fixed?: Record<string, string>): Promise<WriteResult> {
  const writing = await readWriting(order, fixed);
  return order.house.ledger.commit(() => replaceContent(order.id, writing()));
}

/** Reads a request to the end; what it means is judged by the state at the time when it is carried out. */
async function readWriting(order: Order, fixed?: Record<string, string>): Promise<() => Writing> {
  const { request, url, house } = order;
  const format = parseWriteFormat(url.searchParams.getAll('ft_format').at(-1));
  const body = await readObject(request, house.maxBody);
  const html = await loadHtmlReader(format);
  return () => ({ ...writingOf(order, fixed), body, html });
}

function writingOf({ url, key, house }: Order, fixed: Record<string, string> = {}): Writing {
  const { state, assumptions, stamp, cut } = house;
  const parameters = new Map([...url.searchParams, ...Object.entries(fixed)]);
  return { state, key, assumptions, parameters, body: {}, html: (text) => text, time: cut, now: stamp() };
}

/** An id for new content: the same, however often it is asked for. */
function claim({ state }: House): () => number {
  let id: number | undefined;
  return () => {
    id ??= state.claimId('content');
    return id;
  };
}
