import { errorMessage, LuidConfigError } from '../../shared/errors.ts';
import { formatInstant } from '../fields/instants.ts';
import { statusOf } from '../state/item.ts';
import { parseWebhooks } from '../state/parse-webhooks.ts';
import type { SeedWebhook, WebhookEvent } from '../state/seed-types.ts';
import type { ItemChange, State } from '../state/state.ts';
import { fillTemplate } from './fill-template.ts';
import { eventsOf } from './item-events.ts';

/** A request that was sent for an event. */
export interface WebhookDelivery {
  /** Counts up from 1. */
  readonly id: number;
  readonly event: WebhookEvent;
  /** The id of the content. */
  readonly content: number;
  readonly url: string;
  /** The JSON that was sent. */
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of the response. Absent: there is none yet, or `error` says why there is none. */
  readonly status?: number;
  /** The beginning of the response. */
  readonly response?: string;
  readonly error?: string;
  /** Milliseconds until the response. */
  readonly duration?: number;
}

export interface WebhooksOptions {
  readonly state: State;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => number;
  /** Called when webhooks or deliveries have changed; with `isStored`, what is on disk. */
  readonly onChange: (change: { readonly isStored: boolean }) => void;
}

const MAX_DELIVERIES = 100;
const MAX_RESPONSE = 300;
const TIME_LIMIT = 10_000;
export const DEFAULT_BODY = { event: '{{event}}', id: '{{id}}', model: '{{model}}' };

/** The part of {@link Webhooks} that code and the studio use. */
export type WebhooksControl = Pick<Webhooks, 'get' | 'set' | 'add' | 'deliveries' | 'sendAgain' | 'settled'>;

/** Sends the webhooks of the space. Each delivery is sent once; a failed one can be sent again. */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #closed = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #deliveries: WebhookDelivery[] = [];
  #headers = new Map<number, SeedWebhook['headers']>();
  #lastId = 0;
  /** Everything before was handled. */
  #itemVersion: number;
  /** Incremented when a delivery changes. */
  version = 0;

  constructor(options: WebhooksOptions) {
    this.#options = options;
    this.#itemVersion = options.state.itemVersion;
  }

  get(): readonly SeedWebhook[] {
    return this.#options.state.webhooks;
  }

  /** Replaces all webhooks. Throws for invalid ones, with the path of the problem. */
  set(webhooks: readonly SeedWebhook[]): void {
    this.#options.state.setWebhooks(parseWebhooks(webhooks, 'webhooks'));
    this.#options.onChange({ isStored: true });
  }

  /** Adds a webhook, in place of one with the same URL. */
  add(webhook: SeedWebhook): void {
    this.set([...this.get().filter(({ url }) => url !== webhook.url), webhook]);
  }

  /** The last ones, oldest first. */
  get deliveries(): readonly WebhookDelivery[] {
    return this.#deliveries;
  }

  /** Sends a delivery again, as it was sent before. */
  sendAgain(id: number): void {
    const delivery = this.#deliveries.find((one) => one.id === id);
    if (!delivery) {
      const hint = `Only the last ${MAX_DELIVERIES} deliveries are kept.`;
      throw new LuidConfigError(`webhooks.sendAgain: there is no delivery ${id}`, { hint });
    }
    const { event, content, url, body } = delivery;
    this.#send({ event, content, url, body, headers: this.#headers.get(id) });
  }

  /** Resolves when all deliveries so far have a response or an error. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Ends the deliveries under way. */
  close(): void {
    this.#closed.abort(new Error('the emulator was stopped'));
  }

  /** Sends the events of what has changed since the last call. */
  sendChanges(): void {
    const { state } = this.#options;
    const changes = state.changesSince(this.#itemVersion) ?? [];
    this.#itemVersion = state.itemVersion;
    if (state.webhooks.length === 0) return;
    for (const change of changes) {
      for (const event of eventsOf(change)) this.#sendEvent(event, change);
    }
  }

  #sendEvent(event: WebhookEvent, { before, after }: ItemChange): void {
    const item = after ?? before;
    if (!item) return;
    const { id, model, space } = item;
    const at = formatInstant(this.#options.now());
    const values = { event, id, model, space, status: statusOf(item), at };
    for (const { url, headers, events, body = DEFAULT_BODY } of this.get()) {
      if (events && !events.includes(event)) continue;
      this.#send({ event, content: id, url, headers, body: JSON.stringify(fillTemplate(body, values)) });
    }
  }

  #send({
    headers,
    ...sent
  }: Pick<WebhookDelivery, 'event' | 'content' | 'url' | 'body'> & SeedHeaders): void {
    this.#lastId += 1;
    const delivery: WebhookDelivery = { id: this.#lastId, ...sent, at: this.#options.now() };
    this.#deliveries = [...this.#deliveries, delivery].slice(-MAX_DELIVERIES);
    this.#headers.set(delivery.id, headers);
    this.#headers.delete(delivery.id - MAX_DELIVERIES);
    const running = this.#request(delivery, headers).then((result) => {
      this.#deliveries = this.#deliveries.map((one) =>
        one.id === delivery.id ? { ...one, ...result } : one,
      );
      this.#running.delete(running);
      this.#report();
    });
    this.#running.add(running);
    this.#report();
  }

  /** Never rejects. */
  async #request({ url, body }: WebhookDelivery, headers: SeedWebhook['headers']): Promise<DeliveryResult> {
    const start = performance.now();
    const duration = () => performance.now() - start;
    try {
      const response = await this.#options.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closed.signal, AbortSignal.timeout(TIME_LIMIT)]),
      });
      const text = await response.text();
      return { status: response.status, response: text.slice(0, MAX_RESPONSE), duration: duration() };
    } catch (error) {
      const { cause } = error as Error;
      return { error: errorMessage(cause ?? error), duration: duration() };
    }
  }

  #report(): void {
    this.version += 1;
    this.#options.onChange({ isStored: false });
  }
}

type SeedHeaders = Pick<SeedWebhook, 'headers'>;
type DeliveryResult = Pick<WebhookDelivery, 'status' | 'response' | 'error' | 'duration'>;
