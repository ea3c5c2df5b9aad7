import type { SeedWebhook, WebhookEvent } from '../../../state/seed-types.ts';

/** A webhook as it is typed. */
export interface TypedWebhook {
  readonly url: string;
  /** One per line. */
  readonly headers: string;
  readonly events: readonly WebhookEvent[];
  /** JSON. */
  readonly body: string;
}

export function formatHeaders(headers: SeedWebhook['headers'] = {}): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** The webhook, or what is wrong with it. The emulator checks the rest. */
export function parseTyped({ url, headers, events, body }: TypedWebhook): SeedWebhook | string {
  const lines = headers.split('\n').filter((line) => line.trim() !== '');
  const parsed = lines.map((line) => /^\s*([^:\s]+)\s*:(.*)$/.exec(line));
  const wrong = parsed.indexOf(null);
  if (wrong !== -1) return `${lines[wrong]} is not a header: write name: value.`;
  try {
    return {
      url: url.trim(),
      headers: Object.fromEntries(parsed.map((match) => [match?.[1] ?? '', match?.[2]?.trim() ?? ''])),
      events,
      body: JSON.parse(body) as unknown,
    };
  } catch (error) {
    return `The body is not valid JSON: ${(error as Error).message}`;
  }
}
