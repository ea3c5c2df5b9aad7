/** Whether arrays and objects are nested deeper than `max` levels, so that recursive code may overflow the stack. */
export function isDeeper(value: unknown, max: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (max === 0) return true;
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inner.some((element) => isDeeper(element, max - 1));
}
