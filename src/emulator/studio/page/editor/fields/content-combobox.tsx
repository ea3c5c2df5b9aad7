import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ItemPage, ItemRow } from '../../../studio-types.ts';
import { get } from '../../api.ts';
import { useLoad } from '../../studio.ts';
import { StatusChip } from '../../ui/status-chip.tsx';

const MOST_RESULTS = 20;

interface ContentComboboxProps {
  readonly label: string;
  /** Absent: content of any model. */
  readonly models: readonly string[] | undefined;
  readonly isFocused: boolean;
  readonly onChoose: (id: number) => void;
  readonly onCancel: (() => void) | undefined;
}

/** A search for content, as the combobox of the ARIA patterns: the focus stays in the field. */
export function ContentCombobox({ label, models, isFocused, onChoose, onCancel }: ContentComboboxProps) {
  const [search, setSearch] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const model = models?.join(',');
  const found = useLoad(
    async (signal) => {
      if (!isOpen) return undefined;
      const query = { model, search: search.trim(), limit: MOST_RESULTS };
      return { search, page: await get<ItemPage>('contents', { query, signal }) };
    },
    [isOpen, search, model],
  );
  const rows = isOpen ? (found.value?.page.rows ?? []) : [];
  // Until the response arrives, the results of the previous search are shown. Enter must not choose one of them.
  const isCurrent = found.value?.search === search;
  const current = Math.min(active, rows.length - 1);
  useEffect(() => {
    if (isFocused) input.current?.focus();
  }, [isFocused]);
  useEffect(() => {
    document.getElementById(`${listId}-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [current, listId]);

  const close = () => {
    setIsOpen(false);
    setActive(0);
  };
  const keys: { readonly [key: string]: () => void } = {
    ArrowDown: () => (isOpen ? setActive(Math.min(current + 1, rows.length - 1)) : setIsOpen(true)),
    ArrowUp: () => (isOpen ? setActive(Math.max(current - 1, 0)) : setIsOpen(true)),
    Enter: () => {
      const row = rows[current];
      if (!row) setIsOpen(true);
      else if (isCurrent) onChoose(row.id);
    },
    Escape: () => (isOpen ? close() : onCancel?.()),
  };
  return (
    <div class="combobox">
      <div class="combobox-line">
        <input
          ref={input}
          type="text"
          role="combobox"
          autocomplete="off"
          aria-label={`${label}: search content`}
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={current >= 0 ? `${listId}-${current}` : undefined}
          placeholder={models ? `Search ${models.join(', ')}` : 'Search content'}
          value={search}
          onClick={() => setIsOpen(true)}
          onBlur={close}
          onInput={({ currentTarget }) => {
            setSearch(currentTarget.value);
            setActive(0);
            setIsOpen(true);
          }}
          onKeyDown={(event) => {
            const run = event.isComposing ? undefined : keys[event.key];
            if (!run) return;
            event.preventDefault();
            run();
          }}
        />
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
      <div id={listId} role="listbox" aria-label="Content" class="combobox-list" hidden={!isOpen}>
        {rows.map((row, index) => (
          <Option
            key={row.id}
            id={`${listId}-${index}`}
            row={row}
            isActive={index === current}
            onChoose={() => onChoose(row.id)}
          />
        ))}
      </div>
      <p class={isOpen && rows.length === 0 ? 'combobox-note' : 'visually-hidden'} role="status">
        {isOpen && resultText(isCurrent ? found.value?.page : undefined, found.error?.message)}
      </p>
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly row: ItemRow;
  readonly isActive: boolean;
  readonly onChoose: () => void;
}

function Option({ id, row, isActive, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, `aria-activedescendant` names it
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      class="combobox-option"
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span class="combobox-title">{row.title || '(no title)'}</span>
      <span class="muted">
        {row.model} · {row.id}
      </span>
      <StatusChip status={row.status} />
    </div>
  );
}

function resultText(page: ItemPage | undefined, problem: string | undefined): string {
  if (problem) return problem;
  if (!page) return 'Searching …';
  if (page.total === 0) return 'No content found.';
  return page.total > page.rows.length
    ? `The first ${page.rows.length} of ${page.total} results.`
    : `${page.total} ${page.total === 1 ? 'result' : 'results'}.`;
}
