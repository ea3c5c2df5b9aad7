import { liveSources } from './live-sources.ts';

/** Runs a function later, without keeping the process alive. Returns a function that cancels it. */
export type Schedule = (run: () => void, delay: number) => () => void;

export const schedule: Schedule = (run, delay) => {
  const timer = liveSources().outsideRequests(() => setTimeout(run, delay));
  // Only Node's timers have it.
  timer.unref?.();
  return () => clearTimeout(timer);
};
