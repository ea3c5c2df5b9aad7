import { useMemo } from 'preact/hooks';
import type { LoggedRequest, StudioKey } from '../../studio-types.ts';
import { formatBytes } from '../ui/format-bytes.ts';
import { requestText } from './request-text.ts';

const CDN_MEANING = {
  hit: 'Served by the CDN; does not count against the rate limit',
  miss: 'Not cached by the CDN, served by the origin',
  pass: 'Not for the CDN, served by the origin',
} as const;

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});

interface RequestRowProps {
  readonly request: LoggedRequest;
  readonly keys: readonly StudioKey[];
}

export function RequestRow({ request, keys }: RequestRowProps) {
  // A request never changes, so its element is not compared again with every new one.
  return useMemo(() => {
    const { path, parameters, status, key } = requestText(request, keys);
    const at = new Date(request.at);
    return (
      <tr>
        <td class="log-time">
          <time dateTime={at.toISOString()} title={at.toISOString()}>
            {clock.format(at)}
          </time>
        </td>
        <td class="log-method">{request.method}</td>
        <td class="log-path">
          <span>{path}</span>
          {parameters.length > 0 && <Parameters parameters={parameters} />}
        </td>
        <td class="log-status">
          <span
            class={`http-status status-class-${Math.floor(request.status / 100)}`}
            title={request.status === 0 ? 'There was no response' : undefined}
          >
            {status}
          </span>
        </td>
        <td class={`log-cdn cdn-${request.cdn}`}>
          <span title={CDN_MEANING[request.cdn]}>{request.cdn}</span>
        </td>
        <td class="log-number">{formatBytes(request.bytes)}</td>
        <td class="log-number">{formatDuration(request.duration)}</td>
        <td class="log-key">
          <span class={request.key === undefined ? 'muted' : undefined}>{key}</span>
          {request.remaining !== undefined && <span class="muted">{request.remaining} left</span>}
        </td>
      </tr>
    );
  }, [request, keys]);
}

function Parameters({ parameters }: { parameters: readonly (readonly [string, string])[] }) {
  return (
    <ul class="log-query">
      {parameters.map(([name, value], index) => (
        <li key={index}>
          <span class="log-parameter">{name}</span>={value}
        </li>
      ))}
    </ul>
  );
}

function formatDuration(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  return ms < 999.5 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
