import { describe } from '../../models/field-types/field-type.ts';
import { isRecord } from '../../shared/is-record.ts';
import { parseList, parseObject, throwSeedError } from './seed-parsers.ts';
import { type SeedWebhook, WEBHOOK_EVENTS, type WebhookEvent } from './seed-types.ts';

/** Throws for invalid webhooks, with the path of the problem. */
export function parseWebhooks(value: unknown, path: string): SeedWebhook[] {
  return parseList(value, path).map((one, index) => parseWebhook(one, `${path}[${index}]`));
}

function parseWebhook(value: unknown, path: string): SeedWebhook {
  const { url, headers, events, body } = parseObject(value, path, ['url', 'headers', 'events', 'body']);
  if (typeof url !== 'string' || !/^https?:\/\/[^\s/?#]\S*$/.test(url))
    return throwSeedError(`${path}.url`, `must be an http(s) URL, not ${describe(url)}`);
  return {
    url,
    ...(headers !== undefined && { headers: parseHeaders(headers, `${path}.headers`) }),
    ...(events !== undefined && {
      events: parseList(events, `${path}.events`).map((event, index) =>
        WEBHOOK_EVENTS.includes(event as WebhookEvent)
          ? (event as WebhookEvent)
          : throwSeedError(`${path}.events[${index}]`, `must be one of ${WEBHOOK_EVENTS.join(', ')}`),
      ),
    }),
    ...(body !== undefined && { body: structuredClone(body) }),
  };
}

function parseHeaders(value: unknown, path: string): Record<string, string> {
  if (!isRecord(value)) return throwSeedError(path, `must be an object, not ${describe(value)}`);
  for (const [name, text] of Object.entries(value)) {
    const isValid =
      /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && typeof text === 'string' && /^[\x20-\x7e]*$/.test(text);
    if (!isValid)
      throwSeedError(`${path}[${JSON.stringify(name)}]`, 'must be an HTTP header: ASCII characters');
  }
  return { ...(value as Record<string, string>) };
}
