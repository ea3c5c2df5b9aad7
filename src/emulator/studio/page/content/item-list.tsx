import { useRef } from 'preact/hooks';
import { EmptyState } from '../ui/empty-state.tsx';
import { ItemRowList } from './item-rows.tsx';
import { isFiltered, type ListFilter, readFilter, withoutFilters } from './list-query.ts';
import { ListToolbar } from './list-toolbar.tsx';
import { ModelNav } from './model-nav.tsx';
import { NewItemLink } from './new-item-link.tsx';
import { useItemRows } from './use-item-rows.ts';
import { useRouteFilter } from './use-route-filter.ts';

interface ItemListProps {
  /** Undefined: all models. */
  readonly model: string | undefined;
  readonly query: URLSearchParams;
}

/** All content of a model: what it is filtered by is in the route. */
export function ItemList({ model, query }: ItemListProps) {
  const [filter, setFilter] = useRouteFilter(readFilter(model, query));
  const { shown, error } = useItemRows(filter);
  const firstRow = useRef<{ focus(): void }>(null);
  const total = shown?.rows.total;
  return (
    <div class="content-view">
      <ModelNav filter={filter} />
      <section class="content-list" aria-labelledby="list-title">
        <h1 id="list-title" class="visually-hidden">
          {filter.model || 'All content'}
        </h1>
        <ListToolbar
          filter={filter}
          onChange={(change) => setFilter({ ...filter, ...change })}
          onLeaveDown={() => firstRow.current?.focus()}
        />
        <p class="list-status" role="status">
          {error ? error.message : total === undefined ? 'Loading …' : countText(total)}
        </p>
        {shown && total === 0 && (
          <NothingHere filter={shown.filter} onClear={() => setFilter(withoutFilters(filter))} />
        )}
        {shown && total !== undefined && total > 0 && (
          <ItemRowList
            rows={shown.rows}
            filterKey={JSON.stringify(shown.filter)}
            showsModel={!shown.filter.model}
            firstRow={firstRow}
          />
        )}
      </section>
    </div>
  );
}

function countText(total: number): string {
  return total === 1 ? '1 item' : `${total.toLocaleString()} items`;
}

function NothingHere({ filter, onClear }: { filter: ListFilter; onClear: () => void }) {
  if (isFiltered(filter)) {
    return (
      <EmptyState title="Nothing found">
        <p>No content matches the search and the filters.</p>
        <button type="button" onClick={onClear}>
          Clear filters
        </button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No content yet">
      <p>{filter.model ? `The model ${filter.model} has no content.` : 'This space has no content.'}</p>
      <NewItemLink model={filter.model} />
    </EmptyState>
  );
}
