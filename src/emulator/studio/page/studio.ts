import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { StudioSpace } from '../studio-types.ts';
import type { LiveState } from './activity.ts';
import { ApiError } from './api.ts';

/** What every part of the page can use. */
export interface Studio extends LiveState {
  readonly space: StudioSpace;
}

export const StudioContext = createContext<Studio | undefined>(undefined);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error('useStudio is called outside of the studio.');
  return studio;
}

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
}

/**
 * Loads a value, and again whenever one of `inputs` changes. The last value stays until the next one has arrived.
 */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: undefined, error: undefined });
  useEffect(() => {
    const outdated = new AbortController();
    load(outdated.signal).then(
      (value) => {
        if (!outdated.signal.aborted) setLoaded({ value, error: undefined });
      },
      (error: unknown) => {
        if (outdated.signal.aborted) return;
        const problem = error instanceof ApiError ? error : new ApiError(0, { message: String(error) });
        setLoaded(({ value }) => ({ value, error: problem }));
      },
    );
    return () => outdated.abort();
  }, inputs);
  return loaded;
}
