import { useId, useState } from 'preact/hooks';
import { CopyButton } from '../ui/copy-button.tsx';
import { clientCode, curlCode, fetchCode, type Read, readUrl, type Target } from './snippets.ts';

const FORMS = [
  { name: 'URL', build: readUrl },
  { name: 'curl', build: curlCode },
  { name: 'fetch', build: fetchCode },
  { name: 'Client code', build: clientCode },
] as const;

/** The request as a URL and as code, with the chosen key. */
export function CopyAs({ read, target }: { read: Read; target: Target }) {
  const [name, setName] = useState<string>(FORMS[0].name);
  const group = useId();
  const { build } = FORMS.find((form) => form.name === name) ?? FORMS[0];
  const code = build(read, target);
  return (
    <div class="copy-as">
      <div class="copy-as-head">
        <div class="segmented" role="radiogroup" aria-label="Copy as">
          {FORMS.map((form) => (
            <label key={form.name}>
              <input
                type="radio"
                name={group}
                checked={form.name === name}
                onChange={() => setName(form.name)}
              />
              <span>{form.name}</span>
            </label>
          ))}
        </div>
        <CopyButton text={code} what={name} />
      </div>
      <pre>
        <code>{code}</code>
      </pre>
    </div>
  );
}
