import { badRequest, notFound } from '../http/http-error.ts';
import { WEBHOOK_EVENTS } from '../state/seed-types.ts';
import type { StudioContext } from '../studio/studio-context.ts';
import type { StudioRequest } from '../studio/studio-request.ts';
import type { StudioWebhooks } from '../studio/studio-types.ts';
import { readJsonObject } from '../write/request-body.ts';
import { DEFAULT_BODY } from './webhooks.ts';

/** GET webhooks */
export function listWebhooks({ webhooks }: StudioContext): StudioWebhooks {
  return {
    webhooks: webhooks.get(),
    deliveries: [...webhooks.deliveries].reverse(),
    events: WEBHOOK_EVENTS,
    defaultBody: DEFAULT_BODY,
  };
}

/** POST webhooks: replaces all of them. */
export async function changeWebhooks(request: Request, context: StudioContext): Promise<StudioWebhooks> {
  const { webhooks } = await readJsonObject(request, context.requestContext().maxBody);
  if (!Array.isArray(webhooks)) throw badRequest();
  context.webhooks.set(webhooks);
  return listWebhooks(context);
}

/** POST deliveries/{id}/again */
export function sendAgain({ id, action }: StudioRequest, context: StudioContext): StudioWebhooks {
  const { webhooks } = context;
  const delivery = webhooks.deliveries.find((one) => String(one.id) === id);
  if (action !== 'again' || !delivery) throw notFound();
  webhooks.sendAgain(delivery.id);
  return listWebhooks(context);
}
