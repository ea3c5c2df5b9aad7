import { useState } from 'preact/hooks';
import type { ItemAction } from '../../studio-types.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ACTION_LABELS } from './model/actions.ts';
import type { Difference, Overwrite } from './model/editing.ts';
import { type KnownLinks, valueText } from './model/value-text.ts';

/** What to ask before an item is changed that was changed elsewhere, or in a way that loses or hides something. */
export type Question =
  | { readonly kind: 'confirm'; readonly title: string; readonly text: string; readonly accept: string }
  | { readonly kind: 'overwrite'; readonly overwrites: readonly Overwrite[]; readonly known: KnownLinks }
  | {
      readonly kind: 'changed';
      readonly action: ItemAction;
      readonly differences: readonly Difference[];
      readonly known: KnownLinks;
    };

/** Resolves to the decision. */
export type Ask = (question: Question) => Promise<boolean>;

export interface OpenQuestion {
  readonly question: Question;
  readonly decide: (isAccepted: boolean) => void;
}

export function useQuestion(): { readonly question: OpenQuestion | undefined; readonly ask: Ask } {
  const [open, setOpen] = useState<OpenQuestion>();
  const ask: Ask = (question) =>
    new Promise((resolve) => {
      const decide = (isAccepted: boolean) => {
        setOpen(undefined);
        resolve(isAccepted);
      };
      setOpen({ question, decide });
    });
  return { question: open, ask };
}

export function OverwriteDialog({ question, decide }: OpenQuestion) {
  const { title, accept } = wordsOf(question);
  return (
    <Dialog
      title={title}
      onClose={() => decide(false)}
      actions={
        <>
          <button type="button" onClick={() => decide(false)}>
            Cancel
          </button>
          <button type="button" class="primary" onClick={() => decide(true)}>
            {accept}
          </button>
        </>
      }
    >
      {question.kind === 'confirm' && <p>{question.text}</p>}
      {question.kind === 'overwrite' && <Overwrites {...question} />}
      {question.kind === 'changed' && <Differences {...question} />}
    </Dialog>
  );
}

function wordsOf(question: Question): { readonly title: string; readonly accept: string } {
  if (question.kind === 'confirm') return question;
  if (question.kind === 'overwrite')
    return { title: 'Overwrite changes made elsewhere?', accept: 'Overwrite' };
  return { title: 'This item was changed elsewhere', accept: `${ACTION_LABELS[question.action]} anyway` };
}

function Overwrites({ overwrites, known }: { overwrites: readonly Overwrite[]; known: KnownLinks }) {
  return (
    <>
      <p class="muted">
        Somebody else changed these fields since you opened the item. Your save would replace them.
      </p>
      {overwrites.map(({ lang, field, theirs, mine }) => (
        <section key={`${lang}.${field.luid}`} class="versus">
          <h3>
            {field.luid} <span class="muted">{lang}</span>
          </h3>
          <div>
            <h4>Theirs</h4>
            <pre class="value-text" lang={lang}>
              {valueText(field, theirs, known)}
            </pre>
          </div>
          <div>
            <h4>Mine</h4>
            <pre class="value-text" lang={lang}>
              {valueText(field, mine, known)}
            </pre>
          </div>
        </section>
      ))}
    </>
  );
}

function Differences({ differences, known }: { differences: readonly Difference[]; known: KnownLinks }) {
  if (differences.length === 0) return <p>Its fields are the same, but its status has changed.</p>;
  return <DifferenceList differences={differences} known={known} />;
}

/** Fields with their new values. */
export function DifferenceList({
  differences,
  known,
}: {
  differences: readonly Difference[];
  known: KnownLinks;
}) {
  return (
    <dl class="differences">
      {differences.map(({ lang, field, after, isEdited }) => (
        <div key={`${lang}.${field.luid}`}>
          <dt>
            {field.luid} <span class="muted">{lang}</span>
            {isEdited && <span class="mark unsaved">You changed this too</span>}
          </dt>
          <dd>
            <pre class="value-text" lang={lang}>
              {valueText(field, after, known)}
            </pre>
          </dd>
        </div>
      ))}
    </dl>
  );
}
