import { useRef } from 'preact/hooks';

export interface Tab {
  readonly name: string;
  readonly label: string;
  /** Said after the label, such as `main`. */
  readonly note?: string | undefined;
  readonly isAtEnd?: boolean;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly active: string;
  readonly onChoose: (name: string) => void;
}

export function tabId(name: string): string {
  return `tab-${name}`;
}

export function panelId(name: string): string {
  return `panel-${name}`;
}

/** Tabs as in the ARIA patterns: the arrow keys move, Tab leaves. */
export function Tabs({ label, tabs, active, onChoose }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const choose = (index: number) => {
    const tab = tabs[(index + tabs.length) % tabs.length];
    if (!tab) return;
    onChoose(tab.name);
    list.current?.querySelector<HTMLElement>(`[id="${CSS.escape(tabId(tab.name))}"]`)?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} class="tabs">
      {tabs.map(({ name, label: text, note, isAtEnd }, index) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={tabId(name)}
          class={isAtEnd ? 'tab at-end' : 'tab'}
          aria-selected={name === active}
          aria-controls={panelId(name)}
          tabIndex={name === active ? 0 : -1}
          onClick={() => choose(index)}
          onKeyDown={({ key }) => {
            if (key === 'ArrowRight') choose(index + 1);
            if (key === 'ArrowLeft') choose(index - 1);
            if (key === 'Home') choose(0);
            if (key === 'End') choose(tabs.length - 1);
          }}
        >
          {text}
          {note && <span class="tab-note">{note}</span>}
        </button>
      ))}
    </div>
  );
}
