import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

/** How far from the visible part the content is rendered. */
const NEAR = '1500px 0px';

interface LazyBlockProps<T> {
  readonly content: T;
  /** The estimated height in rem, until it is rendered. */
  readonly height: number;
  /** Must not change. */
  readonly render: (content: T) => ComponentChildren;
}

/** Content that is rendered when it comes near the visible part. */
export function LazyBlock<T>({ content, height, render }: LazyBlockProps<T>) {
  const element = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: NEAR },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isNear]);
  // Unchanged elements are not compared again.
  return useMemo(
    () => (
      <div ref={element} style={isNear ? {} : { height: `${height}rem` }}>
        {isNear && render(content)}
      </div>
    ),
    [content, isNear, height, render],
  );
}
