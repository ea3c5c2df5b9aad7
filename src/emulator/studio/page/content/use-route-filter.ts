import { useEffect, useRef, useState } from 'preact/hooks';
import { navigate } from '../route.ts';
import { type ListFilter, listHref } from './list-query.ts';

/** Milliseconds between two changes of the URL: browsers allow 200 in half a minute. */
const ROUTE_PAUSE = 150;

/** The filter of the route. A change applies at once; while one types, the route follows a little later. */
export function useRouteFilter(routed: ListFilter): [ListFilter, (filter: ListFilter) => void] {
  const [chosen, setChosen] = useState(routed);
  const routedKey = JSON.stringify(routed);
  const seenKey = useRef(routedKey);
  const routeChange = useRef({ at: 0, from: location.hash });
  const filter = seenKey.current === routedKey ? chosen : routed;
  const filterKey = JSON.stringify(filter);
  useEffect(() => {
    if (seenKey.current === routedKey) return;
    seenKey.current = routedKey;
    setChosen(routed);
  }, [routedKey]);
  useEffect(() => {
    if (filterKey === routedKey) return;
    const { at, from } = routeChange.current;
    const follow = () => {
      // A link was followed in the meantime.
      if (location.hash !== from) return;
      routeChange.current = { at: Date.now(), from };
      seenKey.current = filterKey;
      navigate(listHref(filter), { replace: true });
    };
    const timer = setTimeout(follow, Math.max(0, at + ROUTE_PAUSE - Date.now()));
    return () => clearTimeout(timer);
  }, [filterKey, routedKey]);
  const change = (next: ListFilter) => {
    routeChange.current = { ...routeChange.current, from: location.hash };
    setChosen(next);
  };
  return [filter, change];
}
