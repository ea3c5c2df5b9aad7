const INSTANT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?$/;
/** The format of the service, on a day that exists in every month: `Date.parse` is correct for it, and fast. */
const SIMPLE = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{3})?Z$/;

/**
 * Milliseconds since 1970 of an ISO 8601 extended time, or `undefined` if it is invalid. Unlike `Date`,
 * this rejects days that do not exist, and times without an offset (§4.1) unless `assumeUtc` is set:
 * times that the service sends are UTC (§2.1).
 */
export function parseInstant(text: string, options: { assumeUtc?: boolean } = {}): number | undefined {
  if (SIMPLE.test(text)) {
    const time = Date.parse(text);
    return Number.isNaN(time) ? undefined : time;
  }
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '0', offset] = match;
  if (offset === undefined && !options.assumeUtc) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second), milliseconds);
  const exists =
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day) &&
    date.getUTCHours() === Number(hour) &&
    date.getUTCMinutes() === Number(minute) &&
    date.getUTCSeconds() === Number(second);
  return exists ? date.getTime() - offsetMinutes(offset) * 60_000 : undefined;
}

function offsetMinutes(offset: string | undefined): number {
  if (offset === undefined || offset === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return offset.startsWith('-') ? -minutes : minutes;
}
