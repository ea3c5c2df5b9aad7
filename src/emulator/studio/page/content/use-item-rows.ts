import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ItemPage, ItemRow } from '../../studio-types.ts';
import { ApiError, get } from '../api.ts';
import { useStudio } from '../studio.ts';
import type { ListFilter } from './list-query.ts';
import { PagedRows } from './paged-rows.ts';

export interface ItemRows {
  /** The filter of the rows that are shown: the last one whose rows have arrived. */
  readonly shown: { readonly filter: ListFilter; readonly rows: PagedRows<ItemRow> } | undefined;
  readonly error: ApiError | undefined;
}

/** The rows of a filter. Those of the filter before are shown until the first new ones arrive. */
export function useItemRows(filter: ListFilter): ItemRows {
  const { activity, problem } = useStudio();
  const content = activity?.content;
  const isConnected = problem === undefined;
  const [state, setState] = useState<ItemRows>({ shown: undefined, error: undefined });
  const newest = useRef<PagedRows<ItemRow>>(undefined);
  const isFirst = useRef(true);
  // Not after the next frame, as effects run: results should be there while one types.
  useLayoutEffect(() => {
    const rows = new PagedRows<ItemRow>(
      (offset, limit, signal) => get<ItemPage>('contents', { query: { ...filter, offset, limit }, signal }),
      (error) => {
        if (newest.current !== rows) return;
        if (error === undefined) setState({ shown: { filter, rows }, error: undefined });
        else setState(({ shown }) => ({ shown, error: toApiError(error) }));
      },
    );
    newest.current = rows;
    rows.show(0, 0);
    return () => rows.close();
  }, [JSON.stringify(filter)]);
  useEffect(() => {
    if (!isFirst.current && isConnected) newest.current?.refresh();
    isFirst.current = false;
  }, [content, isConnected]);
  return state;
}

function toApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, { message: String(error) });
}
