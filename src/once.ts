/** Returns a function that runs an action only for the first call with each key. */
export function createOnce(): (key: string, action: () => void) => void {
  const keys = new Set<string>();
  return (key, action) => {
    if (keys.has(key)) return;
    keys.add(key);
    action();
  };
}
