import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { fingerprintOf, type Heads } from '../read/heads.ts';
import { isMainCurrent, matchesHeads } from './matches-heads.ts';
import type { ModelGroup } from './model-group.ts';
import type { SyncSession } from './session.ts';

/**
 * Confirms items whose references may have been empty because their targets were hidden at that moment: all that the
 * last sync left unconfirmed. A target that returned as it was leaves no trace, so this depends on nothing else that
 * happened. An item is confirmed if it is shown as it is stored a second time: by the heads, by what this sync read for
 * another reason, or by a request of its own.
 *
 * It does not count if something that is known is hidden at that moment too: copies of the CDN may still show it, or not
 * show yet that it returned. It will return as a change, and changes concern unconfirmed items only. The heads of the
 * main language prove by their total that nothing was hidden when they were read; everything else is proven by heads of
 * the main language that are read after it.
 */
export async function confirmItems(session: SyncSession, heads: Heads): Promise<void> {
  const { visibility, manifest, isMainLanguage } = session;
  if (!visibility.hadUnconfirmed) return;
  const shown = shownAsStored(session, heads);
  const areKnown = fingerprintOf(heads) === manifest.heads;
  const areProof = isMainLanguage && (areKnown || (await matchesHeads(session, heads)));
  if (areKnown || areProof) for (const id of shown) visibility.confirm(id);
  for (const group of session.groups) {
    const ids = visibility.stillUnconfirmed
      .filter(([id, model]) => group.tables.has(model) && !visibility.wasRead(id))
      .map(([id]) => id);
    await confirm(session, group, ids);
  }
  const unproven = visibility.confirmed.filter(([id]) => !(areProof && shown.has(id)));
  if (unproven.length > 0 && !(await isMainCurrent(session, heads))) visibility.revokeConfirmed(unproven);
}

/** Of models with more unconfirmed items than are stored, names all that have an empty reference. */
export async function expandUnconfirmedModels({ groups, visibility }: SyncSession): Promise<void> {
  for (const { tables } of groups) {
    for (const [model, table] of tables)
      if (visibility.isUnconfirmed(model)) visibility.expandUnconfirmed(model, await table.all());
  }
}

async function confirm(session: SyncSession, { source }: ModelGroup, ids: readonly number[]): Promise<void> {
  const { visibility } = session;
  const lists = await Promise.all(chunks(ids).map((some) => source.byId(some)));
  for (const item of lists.flat()) await session.put({ item });
  // What is not found does not exist any more.
  for (const id of ids) if (!visibility.wasRead(id)) visibility.forgetItem(id);
}

/** The items that heads show as they are stored, if these are known: those of the first group, whose formats they have. */
function shownAsStored(session: SyncSession, { updated, published }: Heads): Set<number> {
  const isOwnFormat = ({ _model }: WireContent) =>
    session.isDeclared(_model) && session.groupOf(_model) === session.groups[0];
  return new Set([...updated.data, ...published.data].filter(isOwnFormat).map(({ _id }) => _id));
}
