import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ItemRow } from '../../studio-types.ts';
import { ItemRowLink } from './item-row-link.tsx';
import type { PagedRows } from './paged-rows.ts';

/** In pixels; `content.css` uses the same. */
const ROW_HEIGHT = 52;
/** Rows that are rendered above and below those in view. */
const MARGIN = 8;
/** While one scrolls fast, the pages that fly by are not loaded. */
const SCROLL_PAUSE = 50;

interface ItemRowsProps {
  readonly rows: PagedRows<ItemRow>;
  /** Another key starts at the top. */
  readonly filterKey: string;
  readonly showsModel: boolean;
  readonly firstRow: RefObject<{ focus(): void } | null>;
}

/** A list of any length, of which only the rows in view are in the page. */
export function ItemRowList({ rows, filterKey, showsModel, firstRow }: ItemRowsProps) {
  const total = rows.total ?? 0;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ first: 0, count: 20 });
  const [active, setActive] = useState(0);
  const wantsFocus = useRef(false);
  const current = Math.max(0, Math.min(active, total - 1));
  const first = Math.max(0, Math.min(view.first, total - 1));
  const last = Math.min(total - 1, first + view.count);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () =>
      setView({
        first: Math.floor(element.scrollTop / ROW_HEIGHT),
        count: Math.ceil(element.clientHeight / ROW_HEIGHT),
      });
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      resized.disconnect();
    };
  }, []);
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = 0;
    setActive(0);
  }, [filterKey]);
  useEffect(() => {
    if (total === 0) return;
    const timer = setTimeout(
      () => rows.show(Math.max(0, first - MARGIN), Math.min(total - 1, last + MARGIN)),
      SCROLL_PAUSE,
    );
    return () => clearTimeout(timer);
  }, [rows, first, last, total]);
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    focusRow(box.current, current);
  });

  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(index, total - 1));
    if (box.current) scrollToRow(box.current, next);
    wantsFocus.current = !focusRow(box.current, next);
    setActive(next);
  };
  firstRow.current = { focus: () => total > 0 && moveTo(0) };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, view.count - 1);
    const targets: { readonly [key: string]: number } = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: total - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    moveTo(target);
  };

  const onFocusIn = ({ target }: FocusEvent) => {
    const index = target instanceof HTMLElement ? target.dataset.index : undefined;
    if (index !== undefined) setActive(Number(index));
  };

  return (
    <div ref={box} class="item-rows">
      <ul
        aria-label="Content"
        style={{ height: `${total * ROW_HEIGHT}px` }}
        onKeyDown={onKeyDown}
        onFocusIn={onFocusIn}
      >
        {indexesToRender(first - MARGIN, last + MARGIN, current, total).map((index) => (
          <li
            key={index}
            aria-setsize={total}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}
          >
            <ItemRowLink
              row={rows.row(index)}
              index={index}
              showsModel={showsModel}
              isActive={index === current}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The rows in view, and the active one, which may have the focus. */
function indexesToRender(first: number, last: number, active: number, total: number): number[] {
  const indexes = new Set<number>();
  for (let index = Math.max(0, first); index <= Math.min(last, total - 1); index++) indexes.add(index);
  if (active < total) indexes.add(active);
  return [...indexes].sort((a, b) => a - b);
}

/** Returns whether the row is in the page. */
function focusRow(box: HTMLElement | null, index: number): boolean {
  const row = box?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  row?.focus({ preventScroll: true });
  return !!row;
}

function scrollToRow(box: HTMLElement, index: number): void {
  const top = index * ROW_HEIGHT;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + ROW_HEIGHT > box.scrollTop + box.clientHeight)
    box.scrollTop = top + ROW_HEIGHT - box.clientHeight;
}
