import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { LoggedRequest } from '../../studio-types.ts';
import { useStudio } from '../studio.ts';

export interface Log {
  /** Newest first. */
  readonly requests: readonly LoggedRequest[];
  readonly isPaused: boolean;
  /** How many have come since it was paused. */
  readonly waiting: number;
  pause(isPaused: boolean): void;
  clear(): void;
}

/**
 * The requests to show. While it is paused, or while one reads further down (`isReading`), they stay the same.
 */
export function useLog(isReading: boolean): Log {
  const { requests: live, activity } = useStudio();
  const last = activity?.last ?? 0;
  const [isPaused, pause] = useState(false);
  const [clearedUntil, setClearedUntil] = useState(0);
  const held = useRef<readonly LoggedRequest[] | undefined>(undefined);
  // The emulator was started again: its numbers start at 1.
  useEffect(() => {
    if (last < clearedUntil) setClearedUntil(0);
  }, [last, clearedUntil]);

  if (isPaused || isReading) held.current ??= live;
  else held.current = undefined;
  const source = held.current ?? live;
  const newest = source.at(-1)?.number ?? 0;
  const requests = useMemo(
    () => source.filter(({ number }) => number > clearedUntil).reverse(),
    [source, clearedUntil],
  );
  return {
    requests,
    isPaused,
    waiting: live.filter(({ number }) => number > newest && number > clearedUntil).length,
    pause,
    clear: () => {
      setClearedUntil(last);
      held.current = undefined;
    },
  };
}
