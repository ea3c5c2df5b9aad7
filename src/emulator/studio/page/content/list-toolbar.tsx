import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { languageName } from '../editor/model/languages.ts';
import { useStudio } from '../studio.ts';
import { STATUS_LABELS } from '../ui/status-chip.tsx';
import { type ListFilter, ORDERS, STATUSES } from './list-query.ts';
import { sumCounts } from './model-nav.tsx';
import { NewItemLink } from './new-item-link.tsx';

interface ListToolbarProps {
  readonly filter: ListFilter;
  readonly onChange: (change: Partial<ListFilter>) => void;
  /** The arrow key from the search into the list. */
  readonly onLeaveDown: () => void;
}

/** Search, filters and order. */
export function ListToolbar({ filter, onChange, onLeaveDown }: ListToolbarProps) {
  const { space } = useStudio();
  const search = useRef<HTMLInputElement>(null);
  useSearchKey(search);
  const counts = sumCounts(space.models.filter(({ luid }) => !filter.model || luid === filter.model));
  const languages = [space.languages.main, ...space.languages.sub];
  return (
    <search class="list-toolbar">
      <input
        ref={search}
        type="search"
        class="list-search"
        aria-label="Search content"
        aria-keyshortcuts="/"
        placeholder="Search (press /)"
        value={filter.search}
        onInput={({ currentTarget }) => onChange({ search: currentTarget.value })}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            onLeaveDown();
          }
        }}
      />
      <Filter
        label="Status"
        value={filter.status}
        options={[
          ['', 'Any status'],
          ...STATUSES.map(
            (status) => [status, `${STATUS_LABELS[status]} (${counts[status].toLocaleString()})`] as const,
          ),
        ]}
        onChoose={(status) => onChange({ status })}
      />
      {languages.length > 1 && (
        <Filter
          label="Language"
          value={filter.lang}
          options={[['', 'Any language'], ...languages.map((lang) => [lang, languageName(lang)] as const)]}
          onChoose={(lang) => onChange({ lang })}
        />
      )}
      {space.spaces && space.spaces.length > 1 && (
        <Filter
          label="Space"
          value={filter.space}
          options={[['', 'Any space'], ...space.spaces.map((name) => [name, name] as const)]}
          onChoose={(name) => onChange({ space: name })}
        />
      )}
      <Filter
        label="Order"
        value={filter.order}
        options={Object.entries(ORDERS)}
        onChoose={(order) => onChange({ order })}
      />
      <NewItemLink model={filter.model} />
    </search>
  );
}

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChoose: (value: string) => void;
}

function Filter({ label, value, options, onChoose }: FilterProps) {
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** `/` moves the focus to the search, unless something is being written. */
function useSearchKey(search: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isWriting = event.target instanceof Element && event.target.matches('input, textarea, select');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting) return;
      event.preventDefault();
      search.current?.focus();
      search.current?.select();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
