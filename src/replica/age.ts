const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Clocks of build machines that share a cache may differ by this much. */
const CLOCK_SKEW = 5 * MINUTE;

/** How long ago a time was. A time in the future is wrong, so it counts as infinitely long ago. */
export function ageSince(time: number, now: number): number {
  return time > now + CLOCK_SKEW ? Number.POSITIVE_INFINITY : now - time;
}

/** How old something is, in the unit that fits and rounded up: `40 s old`, `5 min old`, `3 h old`, `2 d old`. */
export function ageText(milliseconds: number): string {
  // By a clock that was ahead when the time was taken.
  if (!Number.isFinite(milliseconds)) return 'of unknown age';
  const age = Math.max(SECOND, milliseconds);
  const [unit, name] = unitFor(age);
  return `${Math.ceil(age / unit)} ${name} old`;
}

function unitFor(age: number): [unit: number, name: string] {
  if (age <= MINUTE) return [SECOND, 's'];
  if (age <= 2 * HOUR) return [MINUTE, 'min'];
  return age <= 2 * DAY ? [HOUR, 'h'] : [DAY, 'd'];
}
