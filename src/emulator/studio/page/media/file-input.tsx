import { useRef } from 'preact/hooks';

interface FileInputProps {
  /** The text of the button. */
  readonly text: string;
  /** For screen readers, if the text alone is not clear. */
  readonly label?: string;
  readonly multiple?: boolean;
  readonly primary?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** A button that opens the file dialog of the browser. */
export function FileInput({ text, label, multiple = false, primary = false, onFiles }: FileInputProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class={primary ? 'primary' : undefined}
        aria-label={label}
        onClick={() => input.current?.click()}
      >
        {text}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        // It would close the dialog around it.
        onCancel={(event) => event.stopPropagation()}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // So that the same file can be chosen again.
          currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
