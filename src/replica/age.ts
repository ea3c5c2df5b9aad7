const MINUTE = 60_000;

/** How long ago something was, in the unit that fits: `5 min`, `3 h`, `2 d`. */
export function ageText(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / MINUTE));
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`;
}
