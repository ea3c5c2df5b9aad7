import { useEffect, useState } from 'preact/hooks';
import type { Activity, LoggedRequest } from '../studio-types.ts';
import { ApiError, get } from './api.ts';

/** The page keeps this many requests. */
const KEPT_REQUESTS = 1_000;

/** What happens in the emulator, as far as the page has seen it. */
export interface LiveState {
  /** Undefined until the first response. */
  readonly activity: Activity | undefined;
  /** The last requests, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** Why there is no connection. */
  readonly problem: ApiError | undefined;
}

/** Follows the emulator while the page is open. `wait`: milliseconds until it responds without news. */
export function useActivity(wait: number): LiveState {
  const [state, setState] = useState<LiveState>({ activity: undefined, requests: [], problem: undefined });
  useEffect(() => {
    const stopped = new AbortController();
    void follow(wait, stopped.signal, state, setState);
    return () => stopped.abort();
  }, [wait]);
  return state;
}

async function follow(
  wait: number,
  signal: AbortSignal,
  initial: LiveState,
  publish: (state: LiveState) => void,
): Promise<void> {
  let state = initial;
  while (!signal.aborted) {
    const { activity: known } = state;
    try {
      const query = { since: known?.last, state: known?.state, wait };
      const activity = await get<Activity>('activity', { query, signal });
      const isRestart = known !== undefined && activity.last < known.last;
      const requests = [...(isRestart ? [] : state.requests), ...activity.requests].slice(-KEPT_REQUESTS);
      state = { activity, requests, problem: undefined };
    } catch (error) {
      if (signal.aborted) return;
      state = { ...state, problem: error instanceof ApiError ? error : new ApiError(0, {}) };
      publish(state);
      if (state.problem?.status === 401) return;
      await pause(1_000);
    }
    publish(state);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
