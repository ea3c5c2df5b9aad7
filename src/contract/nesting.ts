/** Whether arrays and objects are nested deeper than `max` levels, so that recursive code may overflow the stack. */
export function isDeeper(value: unknown, max: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (max === 0) return true;
  if (Array.isArray(value)) {
    for (const element of value) {
      if (typeof element === 'object' && isDeeper(element, max - 1)) return true;
    }
    return false;
  }
  // Every response is searched: this allocates nothing. What a prototype has is not nested.
  for (const key in value) {
    const inner: unknown = value[key as never];
    if (typeof inner === 'object' && isDeeper(inner, max - 1)) return true;
  }
  return false;
}
