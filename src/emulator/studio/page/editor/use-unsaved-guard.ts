import { useLayoutEffect, useRef } from 'preact/hooks';
import { guardRoute } from '../route.ts';

const QUESTION = 'Leave this page? Your unsaved changes will be lost.';

/** Asks before unsaved changes are lost. Returns a function that ends the protection, for leaving after a save. */
export function useUnsavedGuard(isUnsaved: boolean): () => void {
  // The page can render again between the end and the change of the route.
  const hasEnded = useRef(false);
  // Protected before the browser can do anything else.
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const removeGuard = guardRoute(() => hasEnded.current || confirm(QUESTION));
    const warn = (event: BeforeUnloadEvent) => {
      if (!hasEnded.current) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => {
      removeGuard();
      removeEventListener('beforeunload', warn);
    };
  }, [isUnsaved]);
  return () => {
    hasEnded.current = true;
  };
}
