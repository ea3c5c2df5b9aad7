export type AnyContent = Record<string, unknown> & { readonly _id: number; readonly _model: string };

/**
 * A `fetch` that responds with these items, including content that the real service would never send. Supports the
 * lists and single items that loaders request.
 */
export function serveItems(items: readonly AnyContent[]): typeof fetch {
  return async (input) => {
    const url = new URL(String(input));
    const id = /\/contents\/(\d+)$/.exec(url.pathname)?.[1];
    if (id) {
      const found = items.find(({ _id }) => _id === Number(id));
      return found ? Response.json(found) : Response.json({ status: '404', code: 'x' }, { status: 404 });
    }
    const parameter = (name: string) => url.searchParams.get(name);
    const models = parameter('model')?.split(',');
    const ids = parameter('_id[in]')?.split(',').map(Number);
    const offset = Number(parameter('offset') ?? 0);
    const limit = Number(parameter('limit') ?? 100);
    const found = items.filter(
      ({ _id, _model }) => (!models || models.includes(_model)) && (!ids || ids.includes(_id)),
    );
    if (parameter('order')?.startsWith('-')) found.reverse();
    const data = found.slice(offset, offset + limit);
    return Response.json({ total: found.length, offset, limit, data });
  };
}

let keys = 0;

/** Connection options with a unique URL and key, so that tests share no rate limit. */
export function connectionTo(fetch: typeof globalThis.fetch) {
  keys += 1;
  const network = { requestsPerMinute: Number.POSITIVE_INFINITY, retries: 0 };
  return { baseUrl: `https://cms-${keys}.example/v1`, apiKey: `key-${keys}`, fetch, network };
}
