import { useEffect, useState } from 'preact/hooks';

/** Where the page is: `#/item/12?lang=en` has the parts `item` and `12`. */
export interface Route {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

/** Asked before the route changes; `false` keeps it. */
type Guard = () => boolean;
let guard: Guard | undefined;
let current = location.hash;
/** Where the current route is in the history of the tab: each entry stores its own, for the way back to it. */
let position = 0;

/** The hash of a route, for links. Empty query values are omitted. */
export function href(
  parts: readonly (string | number)[],
  query: Record<string, string | undefined> = {},
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  const search = new URLSearchParams(given).toString();
  return `#/${parts.map((part) => encodeURIComponent(part)).join('/')}${search && `?${search}`}`;
}

/** `replace` leaves no entry in the history, for filters that change while one types. */
export function navigate(to: string, { replace = false } = {}): void {
  if (replace) {
    current = to;
    history.replaceState(history.state, '', to);
    dispatchEvent(new HashChangeEvent('hashchange'));
  } else location.hash = to;
}

/** Protects unsaved changes: leaving the route needs the guard's consent. Returns a function that removes it. */
export function guardRoute(ask: Guard): () => void {
  guard = ask;
  return () => {
    if (guard === ask) guard = undefined;
  };
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    // The token is removed from the URL after this file is loaded.
    current = location.hash;
    position = enteredPosition();
    const update = () => {
      const entered = enteredPosition();
      if (location.hash !== current && guard && !guard()) {
        history.go(position - entered);
        return;
      }
      position = entered;
      current = location.hash;
      setHash(current);
    };
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return parse(hash);
}

/** The position of the entry that the browser shows; a new one is after the current one. */
function enteredPosition(): number {
  const { position: stored } = (history.state ?? {}) as { position?: number };
  if (stored !== undefined) return stored;
  const entered = position + 1;
  history.replaceState({ position: entered }, '');
  return entered;
}

function parse(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const parts = path.split('/').filter(Boolean).map(decode);
  return { parts, query: new URLSearchParams(search) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
