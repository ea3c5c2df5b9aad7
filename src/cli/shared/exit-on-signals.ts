/**
 * On SIGINT or SIGTERM waits for `finish`, then exits with the code of that signal; a second signal exits
 * immediately. Returns a function that removes the handlers.
 */
export function exitOnSignals(
  finish: () => Promise<void>,
  codes: Record<'SIGINT' | 'SIGTERM', number>,
): () => void {
  let isExiting = false;
  const exit = (signal: NodeJS.Signals) => {
    const code = codes[signal as keyof typeof codes];
    if (isExiting) process.exit(code);
    isExiting = true;
    void finish().finally(() => process.exit(code));
  };
  process.on('SIGINT', exit).on('SIGTERM', exit);
  return () => void process.off('SIGINT', exit).off('SIGTERM', exit);
}
