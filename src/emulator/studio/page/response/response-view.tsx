import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import type { ApiResponse } from '../../studio-types.ts';
import { get } from '../api.ts';
import { useLoad, useStudio } from '../studio.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatBytes } from '../ui/format-bytes.ts';
import { statusText } from '../ui/http-status.ts';
import { CopyAs } from './copy-as.tsx';
import { formatPaths } from './format-paths.ts';
import type { Place } from './json-lines.ts';
import { JsonView } from './json-view.tsx';
import { initialForm, type ReadForm, readOf } from './read-form.ts';
import { ResponseControls } from './response-controls.tsx';
import { readPath } from './snippets.ts';

interface ResponseViewProps {
  readonly id: number;
  readonly model: string;
  readonly lang: string;
}

/** What the API responds for an item, by its id or in a list, and how to request it. */
export function ResponseView({ id, model, lang }: ResponseViewProps) {
  const { space, activity } = useStudio();
  const [form, setForm] = useState(() => initialForm(lang, space.keys));
  const change = (part: Partial<ReadForm>) => setForm((current) => ({ ...current, ...part }));
  useEffect(() => change({ lang }), [lang]);
  const paths = useMemo(
    () => formatPaths(space.models.find(({ luid }) => luid === model)?.fields ?? []),
    [space, model],
  );
  const read = readOf(form, { id, model, mainLanguage: space.languages.main });
  const path = readPath(read);
  const response = useLoad(
    async (signal) => {
      const { status, body } = await get<ApiResponse>('response', { query: { key: form.key, path }, signal });
      return { status, body, kind: form.kind };
    },
    [form.key, path, activity?.content],
  );
  const key = space.keys[form.key]?.key ?? '';
  return (
    <section class="response-view" aria-label="Response of the API">
      <KindChoice kind={form.kind} id={id} model={model} onChange={(kind) => change({ kind })} />
      <ResponseControls form={form} change={change} formatPaths={paths} />
      <CopyAs read={read} target={{ baseUrl: space.baseUrl, header: space.header, key }} />
      {response.error && (
        <p class="banner" role="alert">
          {response.error.message}
        </p>
      )}
      {response.value ? (
        <ResponseBody {...response.value} model={model} />
      ) : (
        !response.error && <p class="muted">Loading …</p>
      )}
    </section>
  );
}

interface KindChoiceProps extends Omit<ResponseViewProps, 'lang'> {
  readonly kind: ReadForm['kind'];
  readonly onChange: (kind: ReadForm['kind']) => void;
}

function KindChoice({ kind, id, model, onChange }: KindChoiceProps) {
  const group = useId();
  const choices = [
    { value: 'item', label: `GET /contents/${id}` },
    { value: 'list', label: `GET /contents?model=${model}` },
  ] as const;
  return (
    <div class="segmented" role="radiogroup" aria-label="Request">
      {choices.map(({ value, label }) => (
        <label key={value}>
          <input type="radio" name={group} checked={kind === value} onChange={() => onChange(value)} />
          <span>{label}</span>
        </label>
      ))}
    </div>
  );
}

interface ResponseBodyProps extends ApiResponse {
  readonly kind: ReadForm['kind'];
  readonly model: string;
}

function ResponseBody({ status, body, kind, model }: ResponseBodyProps) {
  const [isRaw, setRaw] = useState(false);
  const root = useMemo<Place>(() => ({ kind: kind === 'item' ? 'content' : 'page', model }), [kind, model]);
  const size = useMemo(() => new TextEncoder().encode(body).length, [body]);
  return (
    <div class="response-result card">
      <div class="response-head">
        <span class={`http-status status-class-${Math.floor(status / 100)}`} role="status">
          {status} {statusText(status)}
        </span>
        <span class="muted">{formatBytes(size)}</span>
        <label class="response-check">
          <input
            type="checkbox"
            checked={isRaw}
            onChange={({ currentTarget }) => setRaw(currentTarget.checked)}
          />
          Exact text
        </label>
        <CopyButton text={body} what="the body" />
      </div>
      <JsonView key={kind} body={body} root={root} isRaw={isRaw} />
    </div>
  );
}
