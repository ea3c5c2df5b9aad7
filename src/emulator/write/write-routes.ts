import type { WriteResult } from '../../contract/content.ts';
import { loadHtmlReader } from '../flexible-text/text-formats.ts';
import type { EmulatorContext } from '../http/emulator-context.ts';
import { notFound } from '../http/http-error.ts';
import type { Item } from '../state/item.ts';
import { getOwn } from '../state/own-property.ts';
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
const ROUTES: { readonly [route: string]: Handler } = {
  'POST contents': writeBody(createContent),
  'PUT contents :id': writeBody(replaceContent),
  'PATCH contents :id': writeBody(patchContent),
  'POST contents :id duplicate': async (routed) => {
    const createRequest = requestCreator(routed);
    return routed.context.writeQueue.commit(() => ({ item: duplicateContent(createRequest()) }));
  },
  'POST media': async ({ request, url, context }) => {
    const form = await readForm(request, context.maxUpload);
    const { media, bytes } = await readUpload(form, new Map(url.searchParams), context.state);
    return context.writeQueue.upload(media, bytes);
  },
  'DELETE media :id': async ({ id, context }) =>
    context.writeQueue.commit(() => ({ removed: { media: findMedia(id, context.state) } })),
};

/** §4.9: endpoints of which only the names are known. */
const GUESSED_ROUTES: { readonly [route: string]: Handler } = {
  'DELETE contents :id': async (routed) => {
    const createRequest = requestCreator(routed);
    return routed.context.writeQueue.commit(() => ({ removed: { item: findTarget(createRequest()) } }));
  },
  'POST contents :id drafts': writeBody(replaceContent, { published: 'false' }),
};

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
  const guess = context.assumptions().endpointsByName === 'guess' ? getOwn(GUESSED_ROUTES, route) : undefined;
  const handler = getOwn(ROUTES, route) ?? guess;
  if (!handler) throw notFound();
  return handler({ request, url, key, context, id: id ?? '' });
}

/** A handler that stores the item which `write` makes of a JSON body. */
function writeBody(write: (request: WriteRequest) => Item, overrides?: Overrides): Handler {
  return async (routed) => {
    const { request, url, context } = routed;
    const format = parseWriteFormat(url.searchParams.getAll('ft_format').at(-1));
    const body = await readJsonObject(request, context.maxBody);
    const toHtml = await loadHtmlReader(format);
    const createRequest = requestCreator(routed, overrides);
    return context.writeQueue.commit(() => ({ item: write({ ...createRequest(), body, toHtml }) }));
  };
}

/**
 * Returns a function that creates the request with the current state, assumptions and time; always with the same new
 * id, unless other content got it in between.
 */
function requestCreator(
  { url, key, context, id }: RoutedRequest,
  overrides: Overrides = {},
): () => WriteRequest {
  const { state, truncateTime } = context;
  const parameters = new Map([...url.searchParams, ...Object.entries(overrides)]);
  let newId: number | undefined;
  const allocateId = () => {
    if (newId === undefined || state.items.has(newId)) newId = state.allocateId('content');
    return newId;
  };
  const toHtml = (text: string) => text;
  const fixed = { id, state, key, parameters, allocateId, truncateTime, body: {}, toHtml };
  return () => ({ ...fixed, assumptions: context.assumptions(), now: truncateTime(context.now()) });
}
