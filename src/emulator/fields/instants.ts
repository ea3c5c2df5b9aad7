import { parseInstant } from '../../contract/instant.ts';
import { getOrCreate } from '../get-or-create.ts';
import { badRequest } from '../http/http-error.ts';

const DAY = 24 * 60 * 60 * 1000;
const formattedDays = new Map<number, string>();

/**
 * Formats a time as §2.1 specifies: ISO 8601, UTC, fractions of a second only if not zero. Not `toISOString`: a
 * page has 500 times, and formatting took a third of the response time.
 */
export function formatInstant(time: number): string {
  const day = Math.floor(time / DAY);
  const ms = time - day * DAY;
  const seconds = Math.floor(ms / 1000);
  const clock = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  const fraction = ms % 1000 === 0 ? '' : `.${String(ms % 1000).padStart(3, '0')}`;
  return `${formatDay(day)}T${clock}${fraction}Z`;
}

function formatDay(day: number): string {
  if (formattedDays.size > 10_000) formattedDays.clear();
  return getOrCreate(formattedDays, day, () => new Date(day * DAY).toISOString().slice(0, -14));
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}

/** Parses a time in a filter: ISO 8601 extended format with an offset or Z (§4.1). Throws a 400. */
export function parseOperandInstant(text: string): number {
  const time = parseInstant(text);
  if (time === undefined) throw badRequest();
  return time;
}
