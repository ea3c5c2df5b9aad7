import { fromFormText, toFormText } from '../model/line-breaks.ts';
import { type ControlProps, useControl, useForm } from './form-context.ts';

export function TextControl({ value, path, onChange }: ControlProps) {
  const { lang } = useForm();
  return (
    <input
      {...useControl(path)}
      type="text"
      lang={lang}
      autocomplete="off"
      value={asText(value)}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** A new line break is CR LF, which is what HTML forms submit (§2.2). */
export function TextareaControl({ value, path, onChange }: ControlProps) {
  const { lang } = useForm();
  const text = asText(value);
  return (
    <textarea
      {...useControl(path)}
      class="grows"
      lang={lang}
      rows={3}
      value={toFormText(text)}
      onInput={({ currentTarget }) => onChange(fromFormText(text, currentTarget.value, '\r\n'))}
    />
  );
}

/** A value of another type, after the type of the field was changed, is shown as JSON. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
