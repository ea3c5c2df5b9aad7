import { useState } from 'preact/hooks';
import type { SeedWebhook, WebhookEvent } from '../../../state/seed-types.ts';
import { formatHeaders, parseTyped, type TypedWebhook } from './typed-webhook.ts';

interface WebhookFormProps {
  /** Absent: a new one. */
  readonly webhook?: SeedWebhook;
  readonly events: readonly WebhookEvent[];
  readonly defaultBody: object;
  readonly onSave: (webhook: SeedWebhook) => void;
  readonly onRemove: () => void;
}

const LABELS: { readonly [event in WebhookEvent]: string } = {
  publish: 'published',
  unpublish: 'unpublished',
  draft: 'draft saved',
  archive: 'archived',
  restore: 'restored',
  delete: 'deleted',
};

/** The settings of one webhook. */
export function WebhookForm({ webhook, events, defaultBody, onSave, onRemove }: WebhookFormProps) {
  const [typed, setTyped] = useState<TypedWebhook>({
    url: webhook?.url ?? '',
    headers: formatHeaders(webhook?.headers),
    events: webhook?.events ?? events,
    body: JSON.stringify(webhook?.body ?? defaultBody, null, 2),
  });
  const [problem, setProblem] = useState<string>();
  const change = (changes: Partial<TypedWebhook>) => setTyped({ ...typed, ...changes });
  const save = (event: Event) => {
    event.preventDefault();
    const parsed = parseTyped(typed);
    setProblem(typeof parsed === 'string' ? parsed : undefined);
    if (typeof parsed !== 'string') onSave(parsed);
  };
  return (
    <form class="webhook card" aria-label={webhook?.url ?? 'New webhook'} onSubmit={save}>
      <label>
        <span>URL</span>
        <input
          type="url"
          required
          placeholder="http://localhost:4321/_luid/refresh"
          value={typed.url}
          onInput={({ currentTarget }) => change({ url: currentTarget.value })}
        />
      </label>
      <label>
        <span>Headers, one per line</span>
        <textarea
          rows={2}
          spellcheck={false}
          placeholder="x-luid-secret: …"
          value={typed.headers}
          onInput={({ currentTarget }) => change({ headers: currentTarget.value })}
        />
      </label>
      <fieldset>
        <legend>Sent when content is</legend>
        {events.map((name) => (
          <label key={name} class="webhook-event">
            <input
              type="checkbox"
              checked={typed.events.includes(name)}
              onChange={({ currentTarget }) =>
                change({
                  events: events.filter((one) =>
                    one === name ? currentTarget.checked : typed.events.includes(one),
                  ),
                })
              }
            />
            {LABELS[name]}
          </label>
        ))}
      </fieldset>
      <label>
        <span>
          Body: JSON with{' '}
          <code>
            {'{{event}}'}, {'{{id}}'}, {'{{model}}'}, {'{{space}}'}, {'{{status}}'}, {'{{at}}'}
          </code>
        </span>
        <textarea
          rows={5}
          spellcheck={false}
          value={typed.body}
          onInput={({ currentTarget }) => change({ body: currentTarget.value })}
        />
      </label>
      {problem && (
        <p class="webhook-problem" role="alert">
          {problem}
        </p>
      )}
      <div class="row">
        <button type="submit" class="primary">
          Save
        </button>
        <button type="button" class={webhook ? 'danger' : undefined} onClick={onRemove}>
          {webhook ? 'Remove' : 'Cancel'}
        </button>
      </div>
    </form>
  );
}
