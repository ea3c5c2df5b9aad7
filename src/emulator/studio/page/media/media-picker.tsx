import { useState } from 'preact/hooks';
import type { MediaRow } from '../../studio-types.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FileInput } from './file-input.tsx';
import { MediaBrowser } from './media-browser.tsx';
import { Thumbnail } from './thumbnail.tsx';
import { UploadDialog } from './upload-dialog.tsx';
import { useMedia } from './use-media.ts';

interface MediaPickerProps {
  readonly value: number | null;
  readonly onChange: (id: number | null) => void;
  readonly label: string;
  /** The language of the alt text to show. */
  readonly lang: string;
  /** Media that need not be loaded. */
  readonly known: readonly MediaRow[];
  readonly describedBy?: string;
  readonly invalid?: boolean;
  /** Of the button that chooses. */
  readonly id?: string;
}

/** A field with one media: shows it, and lets one choose, upload or remove it. */
export function MediaPicker(props: MediaPickerProps) {
  const { value, onChange, label, lang, known, describedBy, invalid = false, id } = props;
  const [isOpen, setOpen] = useState(false);
  const [files, setFiles] = useState<readonly File[]>();
  const [picked, setPicked] = useState<MediaRow>();
  const media = useMedia(
    value,
    picked && !known.some((row) => row.id === picked.id) ? [...known, picked] : known,
  );
  const pick = (row: MediaRow) => {
    setPicked(row);
    setOpen(false);
    onChange(row.id);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, and the label is outside
    <div
      class={invalid ? 'media-picker invalid' : 'media-picker'}
      role="group"
      aria-label={label}
      aria-describedby={describedBy}
    >
      {value === null ? (
        <p class="media-picker-empty muted">No media</p>
      ) : (
        <Chosen id={value} media={media} lang={lang} />
      )}
      <div class="row">
        <button
          type="button"
          id={id}
          aria-label={`Choose … ${label}`}
          aria-haspopup="dialog"
          aria-describedby={describedBy}
          onClick={() => setOpen(true)}
        >
          Choose …
        </button>
        <FileInput text="Upload …" label={`Upload … ${label}`} onFiles={setFiles} />
        {value !== null && (
          <button type="button" aria-label={`Remove ${label}`} onClick={() => onChange(null)}>
            Remove
          </button>
        )}
      </div>
      {isOpen && (
        <Dialog title={`Choose: ${label}`} onClose={() => setOpen(false)}>
          <MediaBrowser multiple={false} chosen={value} onOpen={pick} onUploaded={pick} />
        </Dialog>
      )}
      {files && <UploadDialog files={files} onUploaded={pick} onClose={() => setFiles(undefined)} />}
    </div>
  );
}

interface ChosenProps {
  readonly id: number;
  readonly media: MediaRow | null | undefined;
  readonly lang: string;
}

function Chosen({ id, media, lang }: ChosenProps) {
  if (media === undefined) return <p class="media-picker-empty muted">Media {id}: loading …</p>;
  if (media === null) {
    return (
      <p class="media-picker-empty media-problem">
        Media {id} does not exist: the field is empty in responses.
      </p>
    );
  }
  return (
    <div class="media-chosen">
      <Thumbnail media={media} />
      <div>
        <span class="media-name" title={media.name}>
          {media.name}
        </span>
        <span class="media-facts">#{media.id}</span>
        {media.alt[lang] ? (
          <span class="media-alt" lang={lang}>
            {media.alt[lang]}
          </span>
        ) : (
          <span class="muted">No alt text in {lang}</span>
        )}
        {media.archived && (
          <span class="media-archived">Media {media.id} is archived: the field is empty in responses.</span>
        )}
      </div>
    </div>
  );
}
