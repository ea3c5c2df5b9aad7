import type { Answer, Exchange, Spoil } from './proxy.ts';

/** An error in §7's form, from a service that repeats the key wherever it can. */
export const refuse =
  (status: number, headers: (exchange: Exchange) => Record<string, string> = () => ({})): Spoil =>
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

/** Each in its turn. */
export const serverError: Spoil = (exchange) =>
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

export const reset: Spoil = (exchange) => exchange.reset();

export const cut: Spoil = async (exchange) => {
  const answer = await exchange.ask();
  exchange.begin(answer, half(answer.text));
  exchange.cut();
};

export const stall: Spoil = (exchange) => exchange.wait();

/** A byte now and then, which would take hours. */
export const drip: Spoil = async (exchange) => {
  const answer = await exchange.ask();
  exchange.begin(answer, '');
  for (const byte of answer.text) {
    if (exchange.isGone) return;
    exchange.write(byte);
    await exchange.wait(4000);
  }
};

export const truncate: Spoil = async (exchange) => {
  const answer = await exchange.ask();
  exchange.send({ ...answer, text: half(answer.text) });
};

export const html: Spoil = (exchange) =>
  exchange.send({
    headers: { 'content-type': 'text/html' },
    text: `<!doctype html><title>Please log in</title><p>${exchange.key}`,
  });

export const empty: Spoil = (exchange) => exchange.send({});

export const stale: Spoil = async (exchange) => exchange.send(await exchange.ask(FAR));

/** A point of presence of the CDN's that purges reach late. */
const FAR = 'far';

interface List {
  total: number;
  data: { _id: number }[];
}

/** The service's answer with something else in it. */
const changed =
  (change: (list: List, exchange: Exchange) => List): Spoil =>
  async (exchange) => {
    const answer: Answer = await exchange.ask();
    const text = JSON.stringify(change(JSON.parse(answer.text) as List, exchange));
    exchange.send({ ...answer, text });
  };

export const totalOff = (by: number): Spoil =>
  changed((list) => ({ ...list, total: Math.max(0, list.total + by) }));

export const shortPage: Spoil = changed((list) => ({ ...list, data: list.data.slice(0, -1) }));

export const twiceInPage: Spoil = changed((list) => {
  const at = list.data.length >> 1;
  return {
    ...list,
    data: list.data.map((item, index) => (index === at ? (list.data[at - 1] ?? item) : item)),
  };
});

/** In place of one item another page's first, as far as one was seen. */
export function twiceInList(): Spoil {
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

/** Everything that may happen to an answer, by name. */
export const SPOILS: Readonly<Record<string, Spoil>> = {
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
