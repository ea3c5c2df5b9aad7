import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface FileDropProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ComponentChildren;
}

/** Files can be dropped anywhere on its content. */
export function FileDrop({ onFiles, children }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button for uploads does the same without a mouse
    <div
      class={isOver ? 'file-drop over' : 'file-drop'}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        const files = [...(event.dataTransfer?.files ?? [])];
        setOver(false);
        if (files.length === 0) return;
        event.preventDefault();
        onFiles(files);
      }}
    >
      {children}
      {isOver && <p class="file-drop-hint">Drop files to upload them</p>}
    </div>
  );
}
