import { useState } from 'preact/hooks';
import { isSameValue, UnparsedJson } from '../model/values.ts';
import { type ControlProps, useControl } from './form-context.ts';

/** A value of an unknown type. Text that is not JSON stays, with the message of the parser. */
export function JsonControl({ field, value, path, onChange }: ControlProps) {
  const attributes = useControl(path);
  const [written, setWritten] = useState('');
  // The formatting is kept while the text still means the value.
  const text = value instanceof UnparsedJson ? value.text : isOf(written) ? written : format(value);
  function isOf(json: string): boolean {
    const parsed = parse(json);
    return !(parsed instanceof UnparsedJson) && isSameValue(field, parsed, value);
  }
  return (
    <textarea
      {...attributes}
      class="grows source"
      rows={3}
      spellcheck={false}
      value={text}
      onInput={({ currentTarget }) => {
        setWritten(currentTarget.value);
        onChange(parse(currentTarget.value));
      }}
    />
  );
}

function parse(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    return new UnparsedJson(text, `Not valid JSON: ${(error as Error).message}`);
  }
}

function format(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value, undefined, 2);
}
