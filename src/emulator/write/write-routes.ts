import type { WriteResult } from '../../contract/content.ts';
import { loadHtmlReader } from '../flexible-text/text-formats.ts';
import type { EmulatorContext } from '../http/emulator-context.ts';
import { notFound } from '../http/http-error.ts';
import type { SeedKey } from '../state/seed-types.ts';
import { readForm, readJsonObject } from './request-body.ts';
import {
  createContent,
  duplicateContent,
  findTarget,
  parseWriteFormat,
  patchContent,
  replaceContent,
  type WriteRequest,
} from './write-contents.ts';
import { findMedia, readUpload } from './write-media.ts';

/** A request and what its path contains. */
interface RoutedRequest {
  readonly request: Request;
  readonly url: URL;
  readonly key: SeedKey;
  readonly context: EmulatorContext;
  /** Empty where the path has none. */
  readonly id: string;
}

type Handler = (routed: RoutedRequest) => Promise<WriteResult>;
/** Parameters that an endpoint fixes. */
type Overrides = Readonly<Record<string, string>>;

/** §4.3 to §4.8, by method and path. */
const ROUTES: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  [
    'POST contents',
    async (routed) => {
      const getRequest = await readWriteRequest(routed);
      const allocateId = createIdAllocator(routed.context);
      return routed.context.writeQueue.commit(() => ({ item: createContent(getRequest(), allocateId) }));
    },
  ],
  ['PUT contents :id', replace],
  [
    'PATCH contents :id',
    async (routed) => {
      const getRequest = await readWriteRequest(routed);
      return routed.context.writeQueue.commit(() => ({ item: patchContent(routed.id, getRequest()) }));
    },
  ],
  [
    'POST contents :id duplicate',
    async (routed) => {
      const allocateId = createIdAllocator(routed.context);
      return routed.context.writeQueue.commit(() => ({
        item: duplicateContent(routed.id, createWriteRequest(routed), allocateId),
      }));
    },
  ],
  [
    'POST media',
    async ({ request, url, context }) => {
      const form = await readForm(request, context.maxUpload);
      const { media, bytes } = await readUpload(form, new Map(url.searchParams), context.state);
      return context.writeQueue.upload(media, bytes);
    },
  ],
  [
    'DELETE media :id',
    async ({ id, context }) =>
      context.writeQueue.commit(() => ({ removed: { media: findMedia(id, context.state) } })),
  ],
]);

/** §4.9: endpoints of which only the names are known. */
const GUESSED_ROUTES: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  [
    'DELETE contents :id',
    async (routed) =>
      routed.context.writeQueue.commit(() => ({
        removed: { item: findTarget(routed.id, createWriteRequest(routed)) },
      })),
  ],
  ['POST contents :id drafts', (routed) => replace(routed, { published: 'false' })],
]);

const PATH = /^\/v1\/(contents|media)(?:\/([^/]+)(?:\/([^/]+))?)?\/?$/;

/** Runs a write that was authenticated and counted. */
export async function handleWrite(
  request: Request,
  url: URL,
  key: SeedKey,
  context: EmulatorContext,
): Promise<WriteResult> {
  const [, kind, id, action] = PATH.exec(url.pathname) ?? [];
  const route = [request.method, kind, id && ':id', action].filter(Boolean).join(' ');
  const guess = context.assumptions.endpointsByName === 'guess' ? GUESSED_ROUTES.get(route) : undefined;
  const handler = ROUTES.get(route) ?? guess;
  if (!handler) throw notFound();
  return handler({ request, url, key, context, id: id ?? '' });
}

async function replace(routed: RoutedRequest, overrides?: Overrides): Promise<WriteResult> {
  const getRequest = await readWriteRequest(routed, overrides);
  return routed.context.writeQueue.commit(() => ({ item: replaceContent(routed.id, getRequest()) }));
}

/** Reads the body. The returned function creates the request with the current state and time. */
async function readWriteRequest(routed: RoutedRequest, overrides?: Overrides): Promise<() => WriteRequest> {
  const { request, url, context } = routed;
  const format = parseWriteFormat(url.searchParams.getAll('ft_format').at(-1));
  const body = await readJsonObject(request, context.maxBody);
  const toHtml = await loadHtmlReader(format);
  return () => ({ ...createWriteRequest(routed, overrides), body, toHtml });
}

function createWriteRequest({ url, key, context }: RoutedRequest, overrides: Overrides = {}): WriteRequest {
  const { state, assumptions, truncateTime } = context;
  const parameters = new Map([...url.searchParams, ...Object.entries(overrides)]);
  const now = truncateTime(context.now());
  return { state, key, assumptions, parameters, body: {}, toHtml: (text) => text, truncateTime, now };
}

/** Allocates an id on the first call and returns the same one on later calls. */
function createIdAllocator({ state }: EmulatorContext): () => number {
  let id: number | undefined;
  return () => {
    id ??= state.allocateId('content');
    return id;
  };
}
