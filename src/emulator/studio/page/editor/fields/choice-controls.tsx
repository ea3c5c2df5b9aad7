import { useState } from 'preact/hooks';
import { ControlGroup } from './control-group.tsx';
import { type ControlProps, idOf, useControl, useForm } from './form-context.ts';
import { asText, TextControl } from './text-controls.tsx';

/** `true`, `false`, or neither: an empty value is not the same as `false`. */
export function CheckboxControl({ value, path, onChange }: ControlProps) {
  const { lang } = useForm();
  const id = `${idOf(lang, path)}-box`;
  const isEmpty = typeof value !== 'boolean';
  return (
    <ControlGroup path={path} class="checkbox-line">
      <label for={id}>
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          indeterminate={isEmpty}
          aria-labelledby={`${idOf(lang, path)}-label ${id}-state`}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <span id={`${id}-state`}>{isEmpty ? 'Empty' : value ? 'True' : 'False'}</span>
      </label>
      {!isEmpty && (
        <button type="button" class="link" onClick={() => onChange(null)}>
          Clear
        </button>
      )}
    </ControlGroup>
  );
}

/** A field without a list of options accepts any value. */
export function SelectControl(props: ControlProps) {
  const { field, value, path, onChange } = props;
  const { lang } = useForm();
  const attributes = useControl(path);
  if (!field.options) return <TextControl {...props} />;
  const chosen = asText(value);
  const isRemoved = chosen !== '' && !field.options.includes(chosen);
  return (
    <select
      {...attributes}
      lang={lang}
      value={chosen}
      onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
    >
      <option value="">(empty)</option>
      {isRemoved && <option value={chosen}>{chosen} (removed option)</option>}
      {field.options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}

export function MultiSelectControl({ field, value, path, onChange }: ControlProps) {
  const { lang } = useForm();
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  const options = field.options ?? [];
  const others = chosen.map(asText).filter((option) => !options.includes(option));
  const toggle = (option: string, isOn: boolean) => {
    const rest = chosen.filter((other) => asText(other) !== option);
    // In the order of the options, so that switching off and on again changes nothing.
    const all = isOn ? [...rest, option] : rest;
    const rank = (entry: unknown) => {
      const at = options.indexOf(asText(entry));
      return at < 0 ? options.length : at;
    };
    onChange(field.options ? all.toSorted((a, b) => rank(a) - rank(b)) : all);
  };
  const box = (option: string, mark: string) => (
    <label key={option}>
      <input
        type="checkbox"
        checked={chosen.some((other) => asText(other) === option)}
        onChange={({ currentTarget }) => toggle(option, currentTarget.checked)}
      />
      <span lang={lang}>
        {option}
        {mark && <span class="muted"> {mark}</span>}
      </span>
    </label>
  );
  return (
    <ControlGroup path={path} class="choices">
      {options.map((option) => box(option, ''))}
      {others.map((option) => box(option, field.options ? '(removed option)' : ''))}
      {!field.options && <NewOption onAdd={(option) => toggle(option, true)} />}
    </ControlGroup>
  );
}

function NewOption({ onAdd }: { onAdd: (option: string) => void }) {
  const [text, setText] = useState('');
  const add = () => {
    if (text.trim() === '') return;
    onAdd(text.trim());
    setText('');
  };
  return (
    <span class="new-option">
      <input
        type="text"
        aria-label="Another value"
        placeholder="Another value"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.isComposing) return;
          event.preventDefault();
          add();
        }}
      />
      <button type="button" onClick={add}>
        Add
      </button>
    </span>
  );
}
