/** Astro's logger, or one that writes to the terminal. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
}

/** Returns a function that runs an action, such as logging a line, only for the first call with each key. */
export function createOnce(): (key: string, action: () => void) => void {
  const keys = new Set<string>();
  return (key, action) => {
    if (keys.has(key)) return;
    keys.add(key);
    action();
  };
}
