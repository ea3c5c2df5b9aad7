const UNITS = ['B', 'kB', 'MB', 'GB'];

/** `940 B`, `12.3 kB`. */
export function formatBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 999.5 && unit < UNITS.length - 1) {
    amount /= 1_000;
    unit += 1;
  }
  return `${unit > 0 && amount < 99.95 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[unit]}`;
}
