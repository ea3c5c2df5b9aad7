import { useEffect, useState } from 'preact/hooks';

const MILLISECONDS_SHOWN = 2_000;

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for screen readers: `Copy ${what}`. */
  readonly what: string;
}

/** Copies a text, and shows for a moment whether that worked. */
export function CopyButton({ text, what }: CopyButtonProps) {
  const [result, setResult] = useState<'Copied' | 'Not allowed'>();
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(undefined), MILLISECONDS_SHOWN);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    try {
      // Absent in pages that are neither https nor on localhost.
      await navigator.clipboard.writeText(text);
      setResult('Copied');
    } catch {
      setResult('Not allowed');
    }
  };
  return (
    <>
      <button type="button" class="copy-button" aria-label={`Copy ${what}`} onClick={copy}>
        {result ?? 'Copy'}
      </button>
      <span class="visually-hidden" role="status">
        {result}
      </span>
    </>
  );
}
