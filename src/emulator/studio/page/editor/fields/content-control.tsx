import { useRef, useState } from 'preact/hooks';
import type { ItemRow, StudioItem } from '../../../studio-types.ts';
import { get } from '../../api.ts';
import { href } from '../../route.ts';
import { useLoad } from '../../studio.ts';
import { StatusChip } from '../../ui/status-chip.tsx';
import { ContentCombobox } from './content-combobox.tsx';
import { ControlGroup } from './control-group.tsx';
import { type ControlProps, useForm } from './form-context.ts';
import { asText } from './text-controls.tsx';

/** A reference: the content it points to, or a search for one. */
export function ContentControl({ field, value, path, onChange }: ControlProps) {
  const [isSearching, setIsSearching] = useState(false);
  const group = useRef<HTMLDivElement>(null);
  const hasValue = asText(value) !== '';
  const end = (id: number | undefined) => {
    setIsSearching(false);
    if (id !== undefined) onChange(id);
    // The field that had the focus is replaced by the chosen content.
    queueMicrotask(() => requestAnimationFrame(() => group.current?.querySelector('button')?.focus()));
  };
  return (
    <ControlGroup path={path}>
      <div ref={group} class="reference">
        {hasValue && !isSearching ? (
          <>
            <Target id={value} />
            <div class="reference-actions">
              <button type="button" onClick={() => setIsSearching(true)}>
                Change
              </button>
              <button type="button" onClick={() => onChange(null)}>
                Remove
              </button>
            </div>
          </>
        ) : (
          <ContentCombobox
            label={field.luid}
            models={field.models}
            isFocused={isSearching}
            onChoose={end}
            onCancel={hasValue ? () => end(undefined) : undefined}
          />
        )}
      </div>
    </ControlGroup>
  );
}

function Target({ id }: { id: unknown }) {
  const { lang, known } = useForm();
  const row = useRow(id, known.linkedContents);
  if (row === 'loading') return <p class="muted">Loading …</p>;
  if (row === 'missing') {
    return (
      <p class="reference-missing">Content {asText(id)} does not exist. The API returns an empty value.</p>
    );
  }
  return (
    <p class="reference-target">
      <a href={href(['item', row.id])} lang={lang}>
        {row.title || '(no title)'}
      </a>
      <span class="muted">
        {row.model} · {row.id}
      </span>
      <StatusChip status={row.status} />
    </p>
  );
}

/** Content that was chosen since the item was loaded is not among its known links. */
function useRow(id: unknown, known: readonly ItemRow[]): ItemRow | 'loading' | 'missing' {
  const row = known.find((other) => other.id === id);
  const isUnknown = row === undefined && typeof id === 'number';
  const loaded = useLoad(
    async (signal) => (isUnknown ? await get<StudioItem>(`contents/${id}`, { signal }) : undefined),
    [isUnknown, id],
  );
  if (row) return row;
  if (!isUnknown) return 'missing';
  if (loaded.value?.id === id) return loaded.value as StudioItem;
  return loaded.error ? 'missing' : 'loading';
}
