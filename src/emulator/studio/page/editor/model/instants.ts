import { parseInstant } from '../../../../../contract/instant.ts';

/** A date-time as it is entered. `zone` is `UTC`, `local` (the zone of the browser) or an offset such as `+05:30`. */
export interface Entered {
  readonly date: string;
  readonly time: string;
  readonly zone: string;
}

/** A date or a time that the browser cannot read, such as one without a year. */
export const UNREADABLE = '-';

const PARTS = /^([\d-]*)T([\d:.]*|-)(Z|[+-]\d\d:?\d\d)?$/;

/** Milliseconds since 1970, or `undefined` if it is not a valid time with a zone. */
export function instantOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined;
}

/** The zone that a value is shown in at first. */
export function zoneOf(value: unknown): string {
  const offset = typeof value === 'string' ? PARTS.exec(value)?.[3] : undefined;
  if (!offset) return 'local';
  if (offset === 'Z' || /^[+-]00:?00$/.test(offset)) return 'UTC';
  const instant = instantOf(value);
  return instant !== undefined && localOffset(new Date(instant)) === offset ? 'local' : offset;
}

/** The date and time of a value in a zone. An incomplete value is shown as it was entered. */
export function splitInstant(value: unknown, zone: string): Entered {
  if (typeof value !== 'string') return { date: '', time: '', zone };
  const instant = instantOf(value);
  if (instant === undefined) {
    const [, date = '', time = ''] = PARTS.exec(value) ?? [];
    return { date, time, zone };
  }
  const wall = new Date(instant + offsetMinutes(zone, new Date(instant)) * 60_000).toISOString();
  const [date = '', clock = ''] = wall.split('T');
  return { date, time: clock.replace(/(?:\.000)?Z$/, ''), zone };
}

/**
 * The value of what was entered: ISO 8601 with `Z` or an offset. Without a date or a time it is incomplete and not
 * valid; without both it is `null`.
 */
export function joinInstant({ date, time, zone }: Entered): string | null {
  if (!date && !time) return null;
  const seconds = /^\d\d:\d\d$/.test(time) ? `${time}:00` : time;
  return `${date}T${seconds}${offsetAt(date, seconds, zone)}`;
}

function offsetAt(date: string, time: string, zone: string): string {
  if (zone === 'UTC') return 'Z';
  if (zone !== 'local') return zone;
  const wall = new Date(`${date}T${time}`);
  return Number.isNaN(wall.getTime()) ? 'Z' : localOffset(wall);
}

function offsetMinutes(zone: string, instant: Date): number {
  const offset = zone === 'local' ? localOffset(instant) : zone;
  if (offset === 'UTC') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return offset.startsWith('-') ? -minutes : minutes;
}

/** Such as `+09:00`. Zones with seconds, before about 1900, are rounded. */
function localOffset(instant: Date): string {
  const minutes = Math.round(-instant.getTimezoneOffset());
  const two = (number: number) => String(number).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

/** What is wrong with a value, or `undefined`. */
export function instantProblem(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '' || instantOf(value) !== undefined)
    return undefined;
  const [, date, time] = (typeof value === 'string' && PARTS.exec(value)) || [];
  if (date === '' || date === UNREADABLE) return 'Enter a complete date.';
  if (time === '' || time === UNREADABLE) return 'Enter a complete time.';
  return 'This date and time does not exist.';
}
