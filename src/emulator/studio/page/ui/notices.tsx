import { useEffect, useState } from 'preact/hooks';

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
}

const MILLISECONDS_SHOWN = 6_000;
let nextId = 1;
let show: (notice: Notice) => void = () => undefined;

/** Shows a message for some seconds; screen readers announce it. A failure stays until it is closed. */
export function notify(text: string, kind: Notice['kind'] = 'done'): void {
  show({ id: nextId++, text, kind });
}

export function Notices() {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const remove = (id: number) => setNotices((all) => all.filter((notice) => notice.id !== id));
  useEffect(() => {
    show = (notice) => {
      // Only the last success is news.
      setNotices((all) => [...all.filter(({ kind }) => kind === 'failed').slice(-3), notice]);
      if (notice.kind === 'done') setTimeout(() => remove(notice.id), MILLISECONDS_SHOWN);
    };
    return () => {
      show = () => undefined;
    };
  }, []);
  return (
    <div class="notices" role="status">
      {notices.map(({ id, text, kind }) => (
        <div key={id} class={`notice ${kind}`}>
          <span>{text}</span>
          <button type="button" class="icon" aria-label="Close" onClick={() => remove(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
