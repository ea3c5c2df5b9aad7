import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useForm } from './form-context.ts';

interface EntryListProps {
  readonly path: string;
  readonly entries: readonly unknown[];
  readonly onChange: (entries: readonly unknown[]) => void;
  /** The kind of an entry, such as the LUID of its field set. */
  readonly nameOf: (entry: unknown) => string;
  /** What tells entries apart when they are collapsed. */
  readonly summaryOf: (entry: unknown) => string;
  readonly renderEntry: (
    entry: unknown,
    path: string,
    onChange: (entry: unknown) => void,
  ) => ComponentChildren;
}

interface Focus {
  readonly key: number;
  readonly button: 'up' | 'down' | 'remove' | 'first';
}

/** Entries that can be collapsed, moved and removed. The focus stays with the entry that was moved. */
export function EntryList({ path, entries, onChange, nameOf, summaryOf, renderEntry }: EntryListProps) {
  const { lang, problems } = useForm();
  const list = useRef<HTMLOListElement>(null);
  const focusNext = useRef<Focus>(undefined);
  const keys = useEntryKeys(entries.length);
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [announcement, setAnnouncement] = useState('');
  useFocusAfterRender(list, focusNext);

  const move = (from: number, to: number) => {
    focusNext.current = { key: keys[from]!, button: to < from ? 'up' : 'down' };
    keys.splice(to, 0, ...keys.splice(from, 1));
    const moved = entries.toSpliced(from, 1).toSpliced(to, 0, entries[from]);
    setAnnouncement(`Moved to position ${to + 1} of ${entries.length}.`);
    onChange(moved);
  };
  const remove = (index: number) => {
    const neighbour = keys[index + 1] ?? keys[index - 1];
    keys.splice(index, 1);
    if (neighbour !== undefined) focusNext.current = { key: neighbour, button: 'remove' };
    else list.current?.closest('fieldset')?.querySelector<HTMLElement>('.entry-add button')?.focus();
    setAnnouncement(`Removed. ${entries.length - 1} left.`);
    onChange(entries.toSpliced(index, 1));
  };
  const toggle = (key: number) =>
    setClosed(
      (before) => new Set(before.has(key) ? [...before].filter((other) => other !== key) : [...before, key]),
    );

  return (
    <>
      <ol ref={list} class="entries">
        {entries.map((entry, index) => {
          const key = keys[index]!;
          const entryPath = `${path}[${index}]`;
          const hasProblem = [...problems.keys()].some((problem) => problem.startsWith(entryPath));
          const isOpen = hasProblem || !closed.has(key);
          const name = `${nameOf(entry)} ${index + 1}`;
          const bodyId = `entry-${lang}-${entryPath}`;
          return (
            <li key={key} data-entry={key} class="entry">
              <div class="entry-head">
                <button
                  type="button"
                  class="entry-toggle"
                  aria-expanded={isOpen}
                  aria-controls={bodyId}
                  onClick={() => toggle(key)}
                >
                  <span class="entry-number">{index + 1}</span>
                  <span class="entry-name">{nameOf(entry)}</span>
                  {!isOpen && (
                    <span class="entry-summary" lang={lang}>
                      {summaryOf(entry)}
                    </span>
                  )}
                </button>
                <button
                  type="button"
                  class="icon"
                  data-button="up"
                  aria-label={`Move ${name} up`}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  class="icon"
                  data-button="down"
                  aria-label={`Move ${name} down`}
                  disabled={index === entries.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  ↓
                </button>
                <button
                  type="button"
                  class="icon"
                  data-button="remove"
                  aria-label={`Remove ${name}`}
                  onClick={() => remove(index)}
                >
                  ×
                </button>
              </div>
              <div id={bodyId} class="entry-body" hidden={!isOpen}>
                {renderEntry(entry, entryPath, (changed) => onChange(entries.with(index, changed)))}
              </div>
            </li>
          );
        })}
      </ol>
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
    </>
  );
}

let nextKey = 1;

/** One key per entry, so that moved entries keep their elements. Entries added from outside get new keys. */
function useEntryKeys(count: number): number[] {
  const keys = useRef<number[]>([]).current;
  while (keys.length < count) keys.push(nextKey++);
  keys.length = count;
  return keys;
}

function useFocusAfterRender(
  list: { current: HTMLElement | null },
  next: { current: Focus | undefined },
): void {
  useLayoutEffect(() => {
    if (!next.current) return;
    const { key, button } = next.current;
    next.current = undefined;
    const entry = list.current?.querySelector(`:scope > [data-entry="${key}"] > .entry-head`);
    const wanted = entry?.querySelector<HTMLButtonElement>(`[data-button="${button}"]`);
    const other = entry?.querySelector<HTMLButtonElement>('[data-button]:not(:disabled)');
    (wanted?.disabled ? other : wanted)?.focus();
  });
}
