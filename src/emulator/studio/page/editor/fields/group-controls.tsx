import { useRef } from 'preact/hooks';
import { summaryText } from '../model/value-text.ts';
import { type Block, fieldsOfSet, isBlock, isRecord } from '../model/values.ts';
import { ControlGroup } from './control-group.tsx';
import { EntryList } from './entry-list.tsx';
import { type ControlProps, idOf, useForm } from './form-context.ts';

export function GroupControl({ field, value, path, onChange, renderFields }: ControlProps) {
  return (
    <ControlGroup path={path} class="group">
      {renderFields(field.fields ?? [], isRecord(value) ? value : {}, path, onChange)}
    </ControlGroup>
  );
}

export function ListControl({ field, value, path, onChange, renderFields }: ControlProps) {
  const { known } = useForm();
  const fields = field.fields ?? [];
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const focusAdded = useFocusAdded(path);
  const add = () => {
    focusAdded(entries.length);
    onChange([...entries, {}]);
  };
  return (
    <ControlGroup path={path} class="entry-list">
      <EntryList
        path={path}
        entries={entries}
        onChange={onChange}
        nameOf={() => field.luid}
        summaryOf={(entry) => summaryText(fields, entry, known)}
        renderEntry={(entry, entryPath, change) =>
          renderFields(fields, isRecord(entry) ? entry : {}, entryPath, change)
        }
      />
      <div class="entry-add">
        <button type="button" onClick={add}>
          Add an entry
        </button>
      </div>
    </ControlGroup>
  );
}

export function BlocksControl({ field, value, path, onChange, renderFields }: ControlProps) {
  const { known } = useForm();
  const blocks: readonly unknown[] = Array.isArray(value) ? value : [];
  const focusAdded = useFocusAdded(path);
  const add = (luid: string) => {
    focusAdded(blocks.length);
    onChange([...blocks, { luid, fields: {} } satisfies Block]);
  };
  const fieldsOf = (block: unknown) => (isBlock(block) ? fieldsOfSet(field, block.luid) : undefined);
  return (
    <ControlGroup path={path} class="entry-list">
      <EntryList
        path={path}
        entries={blocks}
        onChange={onChange}
        nameOf={(block) => (isBlock(block) ? block.luid : 'Unreadable block')}
        summaryOf={(block) => (isBlock(block) ? summaryText(fieldsOf(block) ?? [], block.fields, known) : '')}
        renderEntry={(block, blockPath, change) => {
          const fields = fieldsOf(block);
          if (!isBlock(block) || !fields) return <UnknownBlock block={block} />;
          return renderFields(fields, block.fields, `${blockPath}.fields`, (changed) =>
            change({ ...block, fields: changed }),
          );
        }}
      />
      <div class="entry-add">
        {(field.sets ?? []).map(({ luid }) => (
          <button key={luid} type="button" onClick={() => add(luid)}>
            Add {luid}
          </button>
        ))}
      </div>
    </ControlGroup>
  );
}

/** A block of a field set that was removed from the model: it can be kept, moved and removed. */
function UnknownBlock({ block }: { block: unknown }) {
  return (
    <>
      <p class="muted">(removed field set)</p>
      <pre class="value-text">{JSON.stringify(block, undefined, 2)}</pre>
    </>
  );
}

/** Moves the focus into an entry as soon as it is there. */
function useFocusAdded(path: string): (index: number) => void {
  const { lang } = useForm();
  const timer = useRef(0);
  return (index) => {
    cancelAnimationFrame(timer.current);
    timer.current = requestAnimationFrame(() => {
      // The frame after the one in which the entry is rendered.
      timer.current = requestAnimationFrame(() =>
        focusFirst(`entry-${lang}-${path}[${index}]`, idOf(lang, path)),
      );
    });
  };
}

function focusFirst(entryId: string, groupId: string): void {
  const entry = document.getElementById(entryId) ?? document.getElementById(groupId);
  entry?.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
}
