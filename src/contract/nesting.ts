/** Whether lists and objects lie in each other deeper than `most`: that many frames a recursion over them would need. */
export function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (most === 0) return true;
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inner.some((one) => isDeeper(one, most - 1));
}
