import type { WebhookDelivery } from '../../../webhooks/webhooks.ts';
import { post } from '../api.ts';
import { href } from '../route.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { statusText } from '../ui/http-status.ts';
import { notify } from '../ui/notices.tsx';
import { Time } from '../ui/time.tsx';

/** The last deliveries, newest first. */
export function DeliveryList({ deliveries }: { deliveries: readonly WebhookDelivery[] }) {
  return (
    <section class="deliveries" aria-labelledby="deliveries-title">
      <h2 id="deliveries-title">Last deliveries</h2>
      {deliveries.length === 0 && (
        <EmptyState title="Nothing was sent yet">
          <p>Publish something: each request and its response appears here.</p>
        </EmptyState>
      )}
      <ul>
        {deliveries.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    </section>
  );
}

function Delivery({ delivery }: { delivery: WebhookDelivery }) {
  const { id, event, content, url, body, at, response } = delivery;
  const send = () => {
    post(`deliveries/${id}/again`).then(
      () => notify('The delivery is sent again.'),
      (error: Error) => notify(error.message, 'failed'),
    );
  };
  return (
    <li class="delivery card">
      <div class="delivery-head">
        <span>
          <strong>{event}</strong> <a href={href(['item', content])}>content {content}</a>
        </span>
        <DeliveryResult delivery={delivery} />
      </div>
      <p class="muted">
        <Time value={new Date(at).toISOString()} /> · <span class="delivery-url">{url}</span>
      </p>
      <details>
        <summary>Request and response</summary>
        <pre>{body}</pre>
        {response !== undefined && <pre>{response}</pre>}
      </details>
      <button type="button" aria-label={`Send again: ${event}, content ${content}`} onClick={send}>
        Send again
      </button>
    </li>
  );
}

function DeliveryResult({ delivery: { status, error, duration = 0 } }: { delivery: WebhookDelivery }) {
  if (error !== undefined) return <span class="http-status status-class-0">{error}</span>;
  if (status === undefined) return <span class="muted">waiting for the response</span>;
  return (
    <span class={`http-status status-class-${Math.floor(status / 100)}`}>
      {status} {statusText(status)}, {Math.round(duration)} ms
    </span>
  );
}
