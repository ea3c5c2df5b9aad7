/**
 * Ends the program on SIGINT and SIGTERM, as soon as `finish` has done what must not be left half done;
 * a second signal does not wait for it. Answers a function that takes this back.
 */
export function endOnSignals(
  finish: () => Promise<void>,
  codes: Record<'SIGINT' | 'SIGTERM', number>,
): () => void {
  let asked = false;
  const end = (signal: NodeJS.Signals) => {
    const code = codes[signal as keyof typeof codes];
    if (asked) process.exit(code);
    asked = true;
    void finish().finally(() => process.exit(code));
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  return () => void process.off('SIGINT', end).off('SIGTERM', end);
}
