import { useState } from 'preact/hooks';
import type { MediaRow } from '../../studio-types.ts';
import { post } from '../api.ts';
import { useStudio } from '../studio.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { notify } from '../ui/notices.tsx';
import { AltTextField } from './alt-text-field.tsx';
import { Thumbnail } from './thumbnail.tsx';

interface MediaDetailsProps {
  readonly media: MediaRow;
  readonly onChange: (media: MediaRow) => void;
  readonly onClose: () => void;
}

type Question = 'remove' | 'close';

/** Everything about one media, and what can be done with it. */
export function MediaDetails({ media, onChange, onClose }: MediaDetailsProps) {
  const { languages } = useStudio().space;
  const [typed, setTyped] = useState<{ readonly [lang: string]: string | undefined }>({});
  const [question, setQuestion] = useState<Question>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isUnsaved = Object.entries(typed).some(
    ([lang, text]) => text !== undefined && text !== (media.alt[lang] ?? ''),
  );
  const run = async (action: 'archive' | 'restore' | 'remove', done: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const changed = await post<MediaRow>(`media/${media.id}/${action}`);
      notify(done);
      if (action === 'remove') onClose();
      else onChange(changed);
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={media.name}
      onClose={() => (isUnsaved ? setQuestion('close') : onClose())}
      actions={
        <>
          <button
            type="button"
            class="danger media-delete"
            disabled={isBusy}
            onClick={() => setQuestion('remove')}
          >
            Delete permanently …
          </button>
          {media.archived ? (
            <button
              type="button"
              disabled={isBusy}
              onClick={() => run('restore', `${media.name} is restored.`)}
            >
              Restore
            </button>
          ) : (
            <button
              type="button"
              disabled={isBusy}
              onClick={() => run('archive', `${media.name} is archived.`)}
            >
              Archive
            </button>
          )}
        </>
      }
    >
      <div class="media-details">
        <Thumbnail media={media} width={960} />
        {media.archived && (
          <p class="media-archived">Archived: the file is not served, and fields that use it are empty.</p>
        )}
        <dl class="media-properties">
          <dt>ID</dt>
          <dd>
            <code>{media.id}</code> <CopyButton text={String(media.id)} what="the ID" />
          </dd>
          <dt>File</dt>
          <dd>{media.name}</dd>
          {media.url && (
            <>
              <dt>URL</dt>
              <dd>
                <code>{media.url}</code> <CopyButton text={media.url} what="the URL" />
              </dd>
            </>
          )}
        </dl>
        {[languages.main, ...languages.sub].map((lang) => (
          <AltTextField
            key={lang}
            media={media}
            lang={lang}
            typed={typed[lang]}
            onType={(text) => setTyped((all) => ({ ...all, [lang]: text }))}
            onSaved={(saved, sent) => {
              onChange(saved);
              setTyped((all) => (all[lang] === sent ? { ...all, [lang]: undefined } : all));
            }}
          />
        ))}
        {problem && (
          <p class="media-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
      {question === 'remove' && (
        <Confirmation
          title={`Delete ${media.name} permanently?`}
          text="This cannot be undone. Fields that use it become empty."
          action="Delete permanently"
          onConfirm={() => run('remove', `${media.name} is deleted.`)}
          onClose={() => setQuestion(undefined)}
        />
      )}
      {question === 'close' && (
        <Confirmation
          title="Discard the alt text?"
          text="An alt text is not saved yet."
          action="Discard"
          onConfirm={onClose}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </Dialog>
  );
}

interface ConfirmationProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function Confirmation({ title, text, action, onConfirm, onClose }: ConfirmationProps) {
  const confirm = () => {
    onClose();
    onConfirm();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" class="danger" onClick={confirm}>
            {action}
          </button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}
