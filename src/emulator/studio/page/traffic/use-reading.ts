import { useEffect, useRef, useState } from 'preact/hooks';

/** The header of the page covers what is below it. */
const HEADER_HEIGHT = 56;

/** Whether one has scrolled past the element that gets `ref`. */
export function useReading<E extends Element>() {
  const ref = useRef<E>(null);
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    if (!ref.current) return;
    const update: IntersectionObserverCallback = ([entry]) => {
      if (!entry) return;
      // Below the visible part it is not reached yet.
      setReading(!entry.isIntersecting && entry.boundingClientRect.top < innerHeight / 2);
    };
    const observer = new IntersectionObserver(update, { rootMargin: `-${HEADER_HEIGHT}px 0px 0px` });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, isReading };
}
