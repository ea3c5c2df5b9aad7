import type { ComponentChildren } from 'preact';

export function Labelled({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is in `children`
    <label class="response-control">
      <span class="response-control-name">{label}</span>
      {children}
    </label>
  );
}

interface InputProps {
  readonly label: string;
  readonly value: string;
  /** An example, or what an empty one means. */
  readonly hint: string;
  readonly onInput: (value: string) => void;
}

export function TextInput({ label, value, hint, onInput }: InputProps) {
  return (
    <Labelled label={label}>
      <input
        type="text"
        value={value}
        placeholder={hint}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </Labelled>
  );
}

export function NumberInput({ label, value, hint, onInput }: InputProps) {
  return (
    <Labelled label={label}>
      <input
        type="number"
        min={0}
        value={value}
        placeholder={hint}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </Labelled>
  );
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label class="response-check">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
