import { useState } from 'preact/hooks';
import { contestedOverwrites, type Difference, type Editing, findDifferences } from './model/editing.ts';
import { DifferenceList } from './overwrite-dialog.tsx';

const MOST_NAMES = 5;

/** The item was changed elsewhere while there are unsaved changes: what changed, and taking it. */
export function ChangeBanner({ state, onTake }: { state: Editing; onTake: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const contested = contestedOverwrites(state);
  if (!state.latest) {
    if (contested.length === 0) return null;
    return (
      <p class="editor-banner" role="status">
        You kept your own values of fields that were changed elsewhere: {namesText(contested)}. A save
        overwrites them.
      </p>
    );
  }
  const differences = findDifferences(state, state.latest);
  const count = differences.length;
  return (
    <section class="editor-banner" aria-label="Changes made elsewhere">
      <div class="row" role="status">
        <strong>This item was changed elsewhere.</strong>
        <span>
          {count === 0
            ? 'Only its status or its times changed.'
            : `${namesText(differences)} ${count === 1 ? 'has a new value' : 'have new values'}. Yours are untouched.`}
        </span>
      </div>
      {isOpen && <DifferenceList differences={differences} known={state.latest} />}
      <div class="row">
        {count > 0 && (
          <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Hide the changes' : 'Show the changes'}
          </button>
        )}
        <button type="button" onClick={onTake}>
          Take the other changes
        </button>
      </div>
    </section>
  );
}

/** Such as `title (ja), lead (ja) and 3 more fields`. */
function namesText(fields: readonly Pick<Difference, 'field' | 'lang'>[]): string {
  const names = fields.slice(0, MOST_NAMES).map(({ field, lang }) => `${field.luid} (${lang})`);
  const more = fields.length - names.length;
  const rest = more === 0 ? '' : ` and ${more} more ${more === 1 ? 'field' : 'fields'}`;
  return names.join(', ') + rest;
}
