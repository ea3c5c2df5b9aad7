import { useState } from 'preact/hooks';
import type { ItemAction } from '../../studio-types.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ACTION_LABELS } from './model/actions.ts';
import type { Difference, Overwrite } from './model/editing.ts';
import { type KnownLinks, valueText } from './model/value-text.ts';

/** What to ask before an item that was changed elsewhere is changed. */
export type Question =
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
  const isOverwrite = question.kind === 'overwrite';
  const title = isOverwrite ? 'Overwrite changes made elsewhere?' : 'This item was changed elsewhere';
  const accept = isOverwrite ? 'Overwrite' : `${ACTION_LABELS[question.action]} anyway`;
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
      {isOverwrite ? <Overwrites {...question} /> : <Differences {...question} />}
    </Dialog>
  );
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
