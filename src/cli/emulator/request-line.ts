import type { LogEntry, SeedKey } from '../../emulator/index.ts';
import { decodePercent } from '../../shared/decode-percent.ts';
import { printable } from '../../shared/printable.ts';

/**
 * One request as a log line: time, status, method, path with decoded query, CDN result, remaining rate limit,
 * duration and key. Keys appear by their number in the list that is printed at start.
 */
export function formatRequest(entry: LogEntry, keys: readonly SeedKey[]): string {
  const { at, status, method, path, query, cdn, remaining, duration } = entry;
  return [
    new Date(at).toISOString().slice(11, 19),
    status === 0 ? 'cut' : String(status),
    printable(method, 20),
    printable(decodePercent(path) + formatQuery(query, keys), 2_000),
    `cdn ${cdn}`,
    remaining === undefined ? 'no limit' : `${remaining} left`,
    `${duration.toFixed(duration < 10 ? 1 : 0)} ms`,
    formatKey(entry, keys),
  ].join('  ');
}

function formatQuery(query: string, keys: readonly SeedKey[]): string {
  if (query === '') return '';
  const isKey = (value: string) => keys.some(({ key }) => key === value);
  const parts = query.split('&').map((part) => {
    const [name = '', ...value] = part.replaceAll('+', ' ').split('=').map(decodePercent);
    const shown = value.join('=');
    // A key does not belong in a URL, but a user may have put it there.
    return value.length === 0 ? name : `${name}=${isKey(shown) ? '***' : shown}`;
  });
  return `?${parts.join('&')}`;
}

function formatKey({ key, path }: LogEntry, keys: readonly SeedKey[]): string {
  const found = key === undefined ? undefined : keys[key];
  if (found && key !== undefined) return `key #${key + 1} (${found.reads})`;
  return path.startsWith('/v1/') ? 'no valid key' : 'no key needed';
}
