import { useState } from 'preact/hooks';
import type { MediaRow } from '../../studio-types.ts';
import { post } from '../api.ts';
import { notify } from '../ui/notices.tsx';

interface AltTextFieldProps {
  readonly media: MediaRow;
  readonly lang: string;
  /** What was typed and not saved yet. */
  readonly typed: string | undefined;
  readonly onType: (text: string) => void;
  /** `sent` may no longer be what is typed. */
  readonly onSaved: (media: MediaRow, sent: string) => void;
}

/** The alt text of one language, with a button that saves it. */
export function AltTextField({ media, lang, typed, onType, onSaved }: AltTextFieldProps) {
  const stored = media.alt[lang] ?? '';
  const [startedWith, setStartedWith] = useState(stored);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isChanged = typed !== undefined && typed !== stored;
  const save = async (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    if (typed === undefined) return;
    setBusy(true);
    setProblem(undefined);
    try {
      onSaved(await post<MediaRow>(`media/${media.id}/alt`, { lang, alt: typed }), typed);
      setStartedWith(typed);
      notify(`The alt text in ${lang} is saved.`);
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy(false);
  };
  return (
    <form class="alt-line" onSubmit={save}>
      <label for={`alt-${lang}`}>Alt text, {lang}</label>
      <div class="alt-input">
        <input
          id={`alt-${lang}`}
          type="text"
          lang={lang}
          value={typed ?? stored}
          onInput={({ currentTarget }) => {
            if (typed === undefined) setStartedWith(stored);
            onType(currentTarget.value);
          }}
        />
        <button
          type="submit"
          aria-label={`Save the alt text in ${lang}`}
          class={isChanged ? 'primary' : undefined}
          disabled={!isChanged || isBusy}
        >
          Save
        </button>
      </div>
      {isChanged && startedWith !== stored && (
        <p class="alt-overwrites" role="status">
          Changed elsewhere to “<span lang={lang}>{stored}</span>”. Saving replaces it.
        </p>
      )}
      {problem && (
        <p class="media-problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
