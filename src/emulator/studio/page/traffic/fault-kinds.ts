import type { StudioFaultKind } from '../../studio-types.ts';

export interface FaultInfo {
  readonly kind: StudioFaultKind;
  readonly title: string;
  readonly description: string;
  readonly amount?: FaultAmount;
  /** Whether it is usually wanted until it is turned off. */
  readonly lasts?: true;
}

export interface FaultAmount {
  readonly label: string;
  readonly unit: string;
  readonly initial: number;
  readonly max: number;
  readonly step: number;
}

const MAX_MILLISECONDS = 600_000;
const MAX_BYTES = 50_000_000;

export const FAULTS: readonly FaultInfo[] = [
  {
    kind: 'latency',
    title: 'Latency',
    description: 'The response is sent after a delay.',
    amount: { label: 'Delay', unit: 'ms', initial: 1_000, max: MAX_MILLISECONDS, step: 100 },
    lasts: true,
  },
  {
    kind: 'max-response',
    title: 'Limit of the size',
    description: 'A larger response becomes a 500. NILTO sends up to about 5 MB.',
    amount: { label: 'At most', unit: 'bytes', initial: 5_000_000, max: MAX_BYTES, step: 100_000 },
    lasts: true,
  },
  {
    kind: 'time-per-item',
    title: 'Time per item',
    description: 'A list is delayed for each of its items. NILTO responds within about 30 s.',
    amount: { label: 'Each', unit: 'ms', initial: 300, max: MAX_MILLISECONDS, step: 100 },
    lasts: true,
  },
  {
    kind: 'rate-limit',
    title: '429 Too Many Requests',
    description: 'The request is refused, and retry-after names the seconds to wait.',
    amount: { label: 'Retry after', unit: 's', initial: 2, max: 3_600, step: 1 },
  },
  {
    kind: 'server-error',
    title: '500 Internal Server Error',
    description: 'The response is an error instead of the content.',
  },
  {
    kind: 'drop',
    title: 'Drop the connection',
    description: 'The connection ends before the response.',
  },
  {
    kind: 'cut',
    title: 'Cut the body',
    description: 'The connection ends in the middle of the body.',
  },
  {
    kind: 'truncate',
    title: 'Truncated JSON',
    description: 'The response is complete and has status 200, but only half of the JSON.',
  },
  {
    kind: 'stall',
    title: 'No response',
    description: 'The request stays open without a response until the client gives up.',
  },
  {
    kind: 'stale-cdn',
    title: 'Stale CDN edge',
    description: 'The CDN serves what it has cached although the content has changed.',
    lasts: true,
  },
  {
    kind: 'purge-delay',
    title: 'Purge delay',
    description: 'After a change the CDN serves the old content for a while.',
    amount: { label: 'Delay', unit: 'ms', initial: 5_000, max: MAX_MILLISECONDS, step: 500 },
    lasts: true,
  },
];
