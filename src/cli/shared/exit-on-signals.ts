/**
 * On SIGINT or SIGTERM waits for `finish`, then exits with 130 or the code for SIGTERM; a second signal exits immediately.
 * Returns a function that removes the handlers.
 */
export function exitOnSignals(finish: () => Promise<void>, codeOfSigterm = 143): () => void {
  let isExiting = false;
  const exit = (signal: NodeJS.Signals) => {
    const code = signal === 'SIGINT' ? 130 : codeOfSigterm;
    if (isExiting) process.exit(code);
    isExiting = true;
    void finish().finally(() => process.exit(code));
  };
  process.on('SIGINT', exit).on('SIGTERM', exit);
  return () => void process.off('SIGINT', exit).off('SIGTERM', exit);
}
