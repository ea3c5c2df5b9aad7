import { useState } from 'preact/hooks';
import type { ItemAction, StudioItem } from '../../studio-types.ts';
import { useStudio } from '../studio.ts';
import { Dialog } from '../ui/dialog.tsx';
import { notify } from '../ui/notices.tsx';
import { StatusChip } from '../ui/status-chip.tsx';
import { Time } from '../ui/time.tsx';
import { ACTION_LABELS, effectNotes, whyNot } from './model/actions.ts';

const MAIN_ACTIONS: readonly ItemAction[] = ['publish', 'draft'];
const OTHER_ACTIONS: readonly ItemAction[] = [
  'discard',
  'unpublish',
  'duplicate',
  'archive',
  'restore',
  'remove',
];

interface SidePanelProps {
  readonly item: StudioItem;
  readonly isUnsaved: boolean;
  readonly isBusy: boolean;
  readonly onRun: (action: ItemAction) => void;
  readonly onRevert: () => void;
}

/** The state of an item, and everything that can be done with it. */
export function SidePanel({ item, isUnsaved, isBusy, onRun, onRevert }: SidePanelProps) {
  const [isDeleting, setIsDeleting] = useState(false);
  const run = (action: ItemAction) => (action === 'remove' ? setIsDeleting(true) : onRun(action));
  const button = (action: ItemAction) => (
    <ActionButton
      key={action}
      action={action}
      item={item}
      isUnsaved={isUnsaved}
      isBusy={isBusy}
      onRun={run}
    />
  );
  return (
    <aside class="editor-side" aria-label="State and actions">
      <section class="card side-actions main-actions">
        <div class="row side-status">
          <StatusChip status={item.status} />
          {isUnsaved && <span class="chip warning">Unsaved changes</span>}
        </div>
        {MAIN_ACTIONS.map(button)}
        {isUnsaved && (
          <button type="button" class="link" disabled={isBusy} onClick={onRevert}>
            Revert unsaved changes
          </button>
        )}
      </section>
      <Facts item={item} />
      <section class="card side-actions other-actions">
        <h2>Other actions</h2>
        {OTHER_ACTIONS.map(button)}
      </section>
      {isDeleting && (
        <DeleteDialog
          item={item}
          onClose={() => setIsDeleting(false)}
          onDelete={() => {
            setIsDeleting(false);
            onRun('remove');
          }}
        />
      )}
    </aside>
  );
}

interface ActionButtonProps {
  readonly action: ItemAction;
  readonly item: StudioItem;
  readonly isUnsaved: boolean;
  readonly isBusy: boolean;
  readonly onRun: (action: ItemAction) => void;
}

function ActionButton({ action, item, isUnsaved, isBusy, onRun }: ActionButtonProps) {
  const { effects } = useStudio().space;
  const reason = whyNot(action, item, isUnsaved);
  const label = action === 'publish' && isUnsaved && !reason ? 'Save and publish' : ACTION_LABELS[action];
  const kind = action === 'publish' ? 'primary' : action === 'remove' ? 'danger' : '';
  const noteId = `action-${action}`;
  const isPossible = reason === undefined && !isBusy;
  return (
    <div class="action">
      {/* Not `disabled`: a button that is pressed with a key would lose the focus. */}
      <button
        type="button"
        class={kind}
        aria-disabled={!isPossible}
        aria-describedby={noteId}
        aria-keyshortcuts={action === 'draft' ? 'Control+S Meta+S' : undefined}
        onClick={() => isPossible && onRun(action)}
      >
        {label}
      </button>
      <p id={noteId} class="action-note">
        {(reason === undefined ? effectNotes(action, effects) : [reason]).map((note) => (
          <span key={note}>{note} </span>
        ))}
      </p>
    </div>
  );
}

function Facts({ item }: { item: StudioItem }) {
  const copy = () =>
    navigator.clipboard.writeText(String(item.id)).then(
      () => notify('Copied the id.'),
      () => notify('The browser does not allow copying.', 'failed'),
    );
  return (
    <dl class="card facts">
      <div>
        <dt>_id</dt>
        <dd>
          <code>{item.id}</code>
          <button type="button" class="link" onClick={copy} aria-label="Copy the id">
            Copy
          </button>
        </dd>
      </div>
      <Fact name="_model">{item.model}</Fact>
      <Fact name="_space">{item.space}</Fact>
      <Fact name="_created_at">
        <Time value={item.createdAt} />
      </Fact>
      <Fact name="_updated_at">
        <Time value={item.updatedAt} />
      </Fact>
      <Fact name="_published_at">
        <Time value={item.publishedAt} />
      </Fact>
      <Fact name="_last_published_at">
        <Time value={item.lastPublishedAt} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface DeleteDialogProps {
  readonly item: StudioItem;
  readonly onClose: () => void;
  readonly onDelete: () => void;
}

function DeleteDialog({ item, onClose, onDelete }: DeleteDialogProps) {
  return (
    <Dialog
      title="Delete permanently?"
      onClose={onClose}
      actions={
        <>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" class="danger" onClick={onDelete}>
            Delete permanently
          </button>
        </>
      }
    >
      <p>
        “{item.title || '(no title)'}” ({item.model}, {item.id}) cannot be brought back. Fields that refer to
        it become empty.
      </p>
    </Dialog>
  );
}
