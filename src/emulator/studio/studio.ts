import { createHash, timingSafeEqual } from 'node:crypto';
import { LuidError } from '../../shared/errors.ts';
import { serveAsset } from '../assets/serve-asset.ts';
import { errorBody, HttpError, notFound } from '../http/http-error.ts';
import { jsonResponse } from '../http/responses.ts';
import { getOwn } from '../state/own-property.ts';
import { changeWebhooks, listWebhooks, sendAgain } from '../webhooks/webhook-requests.ts';
import { ActivityFeed } from './activity-feed.ts';
import { describeSpace } from './describe-space.ts';
import { FaultSwitches } from './fault-switches.ts';
import { changeItem, createItem } from './item-changes.ts';
import { ItemSearch } from './item-search.ts';
import { describeItem } from './item-view.ts';
import { changeMedia, listMedia, uploadMedia } from './media-requests.ts';
import { servePageFile } from './page-files.ts';
import { readApiResponse } from './read-api-response.ts';
import type { StudioContext } from './studio-context.ts';
import { StudioHttpError } from './studio-http-error.ts';
import type { StudioRequest } from './studio-request.ts';
import type { StudioError } from './studio-types.ts';

type Handler = (request: StudioRequest) => unknown;

const API = '/_studio/api/';
const ASSETS = '/_studio/assets/';
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** A page in the browser for the space of an emulator, and the API behind it. */
export class Studio {
  readonly #context: StudioContext;
  readonly #routes: { readonly [route: string]: Handler };

  constructor(context: StudioContext) {
    this.#context = context;
    const search = new ItemSearch(context);
    const faults = new FaultSwitches(context);
    const activity = new ActivityFeed(context, faults);
    this.#routes = {
      'GET space': () => describeSpace(context),
      'GET activity': (request) => activity.next(request),
      'GET contents': ({ query }) => search.find(query),
      'GET contents :id': ({ id }) => describeItem(id, context),
      'POST contents': ({ request }) => createItem(request, context),
      'POST contents :id :action': (request) => changeItem(request, context),
      'GET media': ({ query }) => listMedia(query, context),
      'POST media': (request) => uploadMedia(request, context),
      'POST media :id :action': (request) => changeMedia(request, context),
      'GET response': ({ query }) => readApiResponse(query, context),
      'POST faults': ({ request }) => faults.add(request),
      'POST faults :id :action': (request) => faults.change(request),
      'GET webhooks': () => listWebhooks(context),
      'POST webhooks': ({ request }) => changeWebhooks(request, context),
      'POST deliveries :id :action': (request) => sendAgain(request, context),
    };
  }

  /** Responds to a request for the page, one of its files or its API. Never throws, except when it is aborted. */
  async respond(request: Request, url: URL): Promise<Response> {
    if (!url.pathname.startsWith(API) && !url.pathname.startsWith(ASSETS)) return servePageFile(request, url);
    try {
      if (url.pathname.startsWith(ASSETS)) return await this.#serveAsset(request, url);
      this.#authenticate(request);
      const result = await this.#route(request, url);
      return jsonResponse(result, { status: 200, headers: HEADERS });
    } catch (error) {
      request.signal.throwIfAborted();
      const body = this.#toError(error);
      return jsonResponse(body, { status: Number(body.status), headers: HEADERS });
    }
  }

  /** A file of the space as its assets URL serves it, but not among the requests of sites. Files need no key. */
  #serveAsset(request: Request, url: URL): Promise<Response> {
    const original = new URL(url);
    original.pathname = `/assets/${url.pathname.slice(ASSETS.length)}`;
    return serveAsset(request, original, this.#context.requestContext());
  }

  #authenticate(request: Request): void {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
    if (!timingSafeEqual(hash(token), hash(this.#context.token))) throw new HttpError(401);
  }

  #route(request: Request, url: URL): unknown {
    const [subject, id = '', action = '', ...rest] = url.pathname.slice(API.length).split('/');
    const route = [request.method, subject, id && ':id', action && ':action'].filter(Boolean).join(' ');
    const handler = getOwn(this.#routes, route);
    if (!handler || rest.length > 0) throw notFound();
    return handler({ request, query: url.searchParams, id, action });
  }

  #toError(error: unknown): StudioError {
    if (error instanceof StudioHttpError) return error.body;
    if (error instanceof HttpError) return errorBody(error);
    // What the emulator's own functions refuse, such as publishing an item that was removed.
    if (LuidError.is(error)) return errorBody({ status: 400, explanation: error.message });
    this.#context.requestContext().onError(error);
    return errorBody({ status: 500 });
  }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
