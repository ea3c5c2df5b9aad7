import type { Exchange, FaultHandler, ServiceResponse } from './faulty-proxy.ts';

/** An error response (§7) that contains the key wherever possible. */
export const refuse =
  (status: number, headers: (exchange: Exchange) => Record<string, string> = () => ({})): FaultHandler =>
  (exchange) => {
    const { key } = exchange;
    const body = { status: String(status), code: `Refused ${key}`, message: `Not with ${key}` };
    exchange.send({
      status,
      headers: { 'content-type': 'application/json', ...headers(exchange) },
      text: JSON.stringify(body),
    });
  };

const STATUSES = [500, 502, 503, 504];

/** One status after the other. */
export const serverError: FaultHandler = (exchange) =>
  refuse(STATUSES[exchange.n % STATUSES.length] ?? 500)(exchange);

export const SECONDS = 7;
const ABSURD = ['99999999999', '-5', 'soon', '1e3', 'Infinity', ''];
export const tooMany = {
  silent: refuse(429),
  seconds: refuse(429, () => ({ 'retry-after': String(SECONDS) })),
  date: refuse(429, (exchange) => ({
    'retry-after': new Date(exchange.now() + SECONDS * 1000).toUTCString(),
  })),
  absurd: refuse(429, ({ n }) => ({ 'retry-after': ABSURD[n % ABSURD.length] ?? '' })),
};

export const reset: FaultHandler = (exchange) => exchange.reset();

export const cut: FaultHandler = async (exchange) => {
  const response = await exchange.fetchResponse();
  exchange.begin(response, half(response.text));
  exchange.cut();
};

export const stall: FaultHandler = (exchange) => exchange.wait();

/** A byte every few seconds, which would take hours. */
export const drip: FaultHandler = async (exchange) => {
  const response = await exchange.fetchResponse();
  exchange.begin(response, '');
  for (const byte of response.text) {
    if (exchange.isClosed) return;
    exchange.write(byte);
    await exchange.wait(4000);
  }
};

export const truncate: FaultHandler = async (exchange) => {
  const response = await exchange.fetchResponse();
  exchange.send({ ...response, text: half(response.text) });
};

export const html: FaultHandler = (exchange) =>
  exchange.send({
    headers: { 'content-type': 'text/html' },
    text: `<!doctype html><title>Please log in</title><p>${exchange.key}`,
  });

export const empty: FaultHandler = (exchange) => exchange.send({});

export const stale: FaultHandler = async (exchange) => exchange.send(await exchange.fetchResponse(FAR));

/** A CDN location that is purged late. */
const FAR = 'far';

interface List {
  total: number;
  data: { _id: number }[];
}

/** The response of the service, changed. */
const changed =
  (change: (list: List, exchange: Exchange) => List): FaultHandler =>
  async (exchange) => {
    const response: ServiceResponse = await exchange.fetchResponse();
    const json = JSON.parse(response.text) as Partial<List>;
    // A single item is sent as it is.
    const text = json.data ? JSON.stringify(change(json as List, exchange)) : response.text;
    exchange.send({ ...response, text });
  };

export const totalOff = (by: number): FaultHandler =>
  changed((list) => ({ ...list, total: Math.max(0, list.total + by) }));

export const shortPage: FaultHandler = changed((list) => ({ ...list, data: list.data.slice(0, -1) }));

export const twiceInPage: FaultHandler = changed((list) => {
  const at = list.data.length >> 1;
  return {
    ...list,
    data: list.data.map((item, index) => (index === at ? (list.data[at - 1] ?? item) : item)),
  };
});

/** Replaces an item by the first one of another page, once one was seen. */
export function twiceInList(): FaultHandler {
  const first = new Map<string, { _id: number }>();
  return changed((list, { key, url }) => {
    const of = `${key} ${url.searchParams.get('model')} ${url.searchParams.get('select')}`;
    const other = first.get(of) ?? list.data[0];
    if (other) first.set(of, other);
    if (!other || list.data.some(({ _id }) => _id === other._id)) return list;
    const at = list.data.length >> 1;
    return { ...list, data: list.data.map((item, index) => (index === at ? other : item)) };
  });
}

const half = (text: string) => text.slice(0, text.length >> 1);

/** Everything that may happen to a response, by name. */
export const FAULT_HANDLERS: Readonly<Record<string, FaultHandler>> = {
  '429': tooMany.silent,
  '429 in seconds': tooMany.seconds,
  '429 as a date': tooMany.date,
  '429 absurd': tooMany.absurd,
  '5xx': serverError,
  reset,
  cut,
  stall,
  drip,
  truncate,
  html,
  empty,
  'total too large': totalOff(7),
  'total too small': totalOff(-3),
  'short page': shortPage,
  'twice in a page': twiceInPage,
  'twice in a list': twiceInList(),
  stale,
  '401': refuse(401),
};
