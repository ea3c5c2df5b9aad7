import { useId, useRef, useState } from 'preact/hooks';
import type { MediaRow } from '../../studio-types.ts';
import { ApiError, post } from '../api.ts';
import { useStudio } from '../studio.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formatBytes } from '../ui/format-bytes.ts';

type AltTexts = { readonly [lang: string]: string };

interface Upload {
  readonly file: File;
  readonly alt: AltTexts;
  readonly state: 'waiting' | 'busy' | 'done';
  readonly problem?: string | undefined;
}

interface UploadDialogProps {
  readonly files: readonly File[];
  /** Called for each file that was uploaded. */
  readonly onUploaded: (media: MediaRow) => void;
  readonly onClose: () => void;
}

/** Asks for the alt texts of files and uploads them. What fails stays, to try it again. */
export function UploadDialog({ files, onUploaded, onClose }: UploadDialogProps) {
  const { main } = useStudio().space.languages;
  const form = useId();
  const [uploads, setUploads] = useState<readonly Upload[]>(() =>
    files.map((file) => ({ file, alt: {}, state: 'waiting' })),
  );
  const latest = useRef(uploads);
  latest.current = uploads;
  const change = (index: number, part: Partial<Upload>) =>
    setUploads((all) => all.map((upload, other) => (other === index ? { ...upload, ...part } : upload)));
  const isBusy = uploads.some(({ state }) => state === 'busy');
  const left = uploads.filter(({ state }) => state !== 'done').length;

  const uploadAll = async () => {
    let failures = 0;
    for (const index of files.keys()) {
      // Alt texts can be typed until the turn of their file.
      const { file, alt, state } = latest.current[index]!;
      if (state === 'done') continue;
      change(index, { state: 'busy', problem: undefined });
      try {
        onUploaded(await uploadFile(file, alt, main));
        change(index, { state: 'done' });
      } catch (error) {
        failures += 1;
        change(index, { state: 'waiting', problem: problemText(error) });
      }
    }
    if (failures === 0) onClose();
  };
  return (
    <Dialog
      title={files.length === 1 ? 'Upload a file' : `Upload ${files.length} files`}
      onClose={() => !isBusy && onClose()}
      actions={
        <>
          <button type="button" disabled={isBusy} onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={form} class="primary" disabled={isBusy}>
            {isBusy ? 'Uploading …' : left === 1 ? 'Upload' : `Upload ${left} files`}
          </button>
        </>
      }
    >
      <form
        id={form}
        class="upload-list"
        onSubmit={(event) => {
          event.preventDefault();
          // The form of an editor can be around it.
          event.stopPropagation();
          void uploadAll();
        }}
      >
        {uploads.map((upload, index) => (
          <UploadFields key={index} upload={upload} onAlt={(alt) => change(index, { alt })} />
        ))}
      </form>
    </Dialog>
  );
}

function uploadFile(file: File, alt: AltTexts, main: string): Promise<MediaRow> {
  const form = new FormData();
  form.set('file', file, file.name);
  const query = Object.entries(alt).map(([lang, text]) => [lang === main ? 'alt' : `alt[${lang}]`, text]);
  return post<MediaRow>('media', form, { query: Object.fromEntries(query) });
}

function problemText(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error);
  return [error.message, ...error.problems.map(({ message }) => message)].join('\n');
}

const STATES = { waiting: '', busy: 'Uploading …', done: 'Uploaded' } as const;

function UploadFields({ upload, onAlt }: { upload: Upload; onAlt: (alt: AltTexts) => void }) {
  const { main, sub } = useStudio().space.languages;
  const { file, alt, state, problem } = upload;
  return (
    <fieldset class="upload" disabled={state !== 'waiting'}>
      <legend>{file.name}</legend>
      <p class="muted" role="status">
        {formatBytes(file.size)}
        {STATES[state] && `, ${STATES[state]}`}
      </p>
      {[main, ...sub].map((lang) => (
        <label key={lang} class="alt-line">
          <span>Alt text, {lang}</span>
          <input
            type="text"
            lang={lang}
            value={alt[lang] ?? ''}
            onInput={({ currentTarget }) => onAlt({ ...alt, [lang]: currentTarget.value })}
          />
        </label>
      ))}
      {problem && (
        <p class="media-problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
