import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { MediaRow } from '../../studio-types.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { FileDrop } from './file-drop.tsx';
import { FileInput } from './file-input.tsx';
import { MediaGrid } from './media-grid.tsx';
import { UploadDialog } from './upload-dialog.tsx';
import { useMediaList } from './use-media.ts';

interface MediaBrowserProps {
  /** Before the search, in the same line. */
  readonly heading?: ComponentChildren;
  /** Whether several files can be uploaded at once. */
  readonly multiple: boolean;
  readonly onOpen: (media: MediaRow) => void;
  readonly onUploaded: (media: MediaRow) => void;
  /** In a choice: the one that is chosen. */
  readonly chosen?: number | null;
}

/** All media, with search and upload. */
export function MediaBrowser({ heading, multiple, onOpen, onUploaded, chosen }: MediaBrowserProps) {
  const [search, setSearch] = useState('');
  const [pages, setPages] = useState(1);
  const [files, setFiles] = useState<readonly File[]>();
  const { value, error } = useMediaList(search, pages);
  const take = (chosenFiles: readonly File[]) => setFiles(multiple ? chosenFiles : chosenFiles.slice(0, 1));
  return (
    <FileDrop onFiles={take}>
      <div class="media-toolbar">
        {heading}
        <input
          type="search"
          aria-label="Search media"
          placeholder="Search by name or alt text"
          value={search}
          // The form of an editor can be around it.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          onInput={({ currentTarget }) => {
            setSearch(currentTarget.value);
            setPages(1);
          }}
        />
        <span class="media-total muted" role="status">
          {value && (value.total === 1 ? '1 file' : `${value.total.toLocaleString()} files`)}
        </span>
        <FileInput text="Upload …" multiple={multiple} primary onFiles={take} />
      </div>
      {error && (
        <p class="banner" role="alert">
          {error.message}
        </p>
      )}
      {value && <MediaGrid rows={value.rows} onOpen={onOpen} {...(chosen !== undefined && { chosen })} />}
      {value?.total === 0 && <NoMedia isSearch={search !== ''} />}
      {value && value.rows.length < value.total && (
        <p class="media-more">
          <button type="button" onClick={() => setPages(pages + 1)}>
            Show more
          </button>
        </p>
      )}
      {files && <UploadDialog files={files} onUploaded={onUploaded} onClose={() => setFiles(undefined)} />}
    </FileDrop>
  );
}

function NoMedia({ isSearch }: { isSearch: boolean }) {
  if (isSearch) return <EmptyState title="No media matches the search" />;
  return (
    <EmptyState title="No media yet">
      <p>Upload images and other files here, or drop them on this page.</p>
    </EmptyState>
  );
}
