import { useState } from 'preact/hooks';
import type { SeedWebhook } from '../../../state/seed-types.ts';
import type { StudioWebhooks } from '../../studio-types.ts';
import { get, post } from '../api.ts';
import { useLoad, useStudio } from '../studio.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { notify } from '../ui/notices.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { WebhookForm } from './webhook-form.tsx';

/** Requests that are sent when content changes, and what became of the last ones. */
export function WebhooksView() {
  const { activity } = useStudio();
  const loaded = useLoad((signal) => get<StudioWebhooks>('webhooks', { signal }), [activity?.state]);
  const [isAdding, setAdding] = useState(false);
  const { value } = loaded;
  if (!value) return <EmptyState title={loaded.error?.message ?? 'Loading the webhooks …'} isView />;

  const save = async (webhooks: readonly SeedWebhook[], done: string): Promise<boolean> => {
    try {
      await post<StudioWebhooks>('webhooks', { webhooks });
      notify(done);
      return true;
    } catch (error) {
      notify((error as Error).message, 'failed');
      return false;
    }
  };
  const { webhooks, deliveries, events, defaultBody } = value;
  const add = async (webhook: SeedWebhook) => {
    if (await save([...webhooks, webhook], 'The webhook is saved.')) setAdding(false);
  };
  return (
    <div class="webhooks">
      <section class="webhooks-list" aria-labelledby="webhooks-title">
        <div class="webhooks-head">
          <h1 id="webhooks-title">Webhooks</h1>
          {!isAdding && (
            <button type="button" class="primary" onClick={() => setAdding(true)}>
              Add a webhook
            </button>
          )}
        </div>
        <p class="muted">
          A POST request for each change of content. The receiver cannot rely on it: look at the content
          instead.
        </p>
        {webhooks.length === 0 && !isAdding && (
          <EmptyState title="No webhooks yet">
            <p>
              Add one with the URL of <code>/_luid/refresh</code> of your site and the header{' '}
              <code>x-luid-secret</code>.
            </p>
          </EmptyState>
        )}
        {webhooks.map((webhook, index) => (
          <WebhookForm
            key={`${index} ${JSON.stringify(webhook)}`}
            webhook={webhook}
            events={events}
            defaultBody={defaultBody}
            onSave={(changed) =>
              void save(
                webhooks.map((one, at) => (at === index ? changed : one)),
                'The webhook is saved.',
              )
            }
            onRemove={() =>
              void save(
                webhooks.filter((_, at) => at !== index),
                'The webhook is removed.',
              )
            }
          />
        ))}
        {isAdding && (
          <WebhookForm
            events={events}
            defaultBody={defaultBody}
            onSave={(webhook) => void add(webhook)}
            onRemove={() => setAdding(false)}
          />
        )}
      </section>
      <DeliveryList deliveries={deliveries} />
    </div>
  );
}
