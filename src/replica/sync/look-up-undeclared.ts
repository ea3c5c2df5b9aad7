import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { visitReferences } from '../../models/walk.ts';
import { type Heads, wasVisibleAt } from '../read/heads.ts';
import type { ModelOf } from '../read/source.ts';
import { mayReferToAnyModel } from '../reference-fields.ts';
import { isMainCurrent } from './matches-heads.ts';
import type { SyncSession } from './session.ts';

/**
 * Finds out which references lead to content of undeclared models. An id that is in no table is either of such
 * content or of content that no longer exists, which only a request can find out. Every id is looked up when an item
 * that refers to it is read, and again whenever content of undeclared models appeared or disappeared. One that is not
 * found is looked up again by the next sync: it may have been hidden for a moment. If it is not found then either, and
 * the main language knows all that the service shows, its return will show in the heads.
 *
 * One that appeared after the heads, which are those of this sync, is not part of their total. The next heads show it: it
 * counts as appeared then, or it would make up for another one that disappeared.
 */
export async function lookUpUndeclared(session: SyncSession, heads: Heads | undefined): Promise<void> {
  const known = new Set([...session.undeclared.ids, ...session.undeclared.idsInMain]);
  // Without heads, nothing shows whether what is known still exists.
  const mayHaveMoved = session.undeclared.hasMoved || !heads;
  const ids = new Set(mayHaveMoved ? known : []);
  const isAnew = mayHaveMoved || session.groups.some(({ fullyRead }) => fullyRead.size > 0);
  for (const item of await itemsToInspect(session)) {
    visitReferences(fieldsOf(session.models, item._model), item, ({ field, value }) => {
      if (!targetsOf(field) && typeof value === 'number') ids.add(value);
    });
  }
  if (ids.size > 0) await removeDeclared(session, ids);
  const unknown = [...ids].filter((id) => isAnew || !known.has(id));
  const toLookUp = new Set([...unknown, ...session.undeclared.missingBefore]);
  const sorted = [...toLookUp].sort((a, b) => a - b);
  const wasVisible = heads ? wasVisibleAt(heads) : () => true;
  await Promise.all(chunks(sorted).map((some) => lookUp(session, some, wasVisible)));
  const { ids: found, idsInMain, missing, missingBefore } = session.undeclared;
  const missingAgain = [...missingBefore].filter((id) => !found.has(id) && !idsInMain.has(id));
  // A read without heads looks everything up each time.
  if (!heads || missingAgain.length === 0 || (await isMainCurrent(session, heads))) return;
  for (const id of missingAgain) missing.add(id);
}

async function removeDeclared({ groups, undeclared }: SyncSession, ids: Set<number>): Promise<void> {
  for (const { tables } of groups) {
    for (const table of tables.values()) {
      for (const { _id } of await table.all()) {
        undeclared.delete(_id);
        ids.delete(_id);
      }
    }
  }
}

/** What may refer to anything, and was read in this sync or refers to what may exist now. */
async function itemsToInspect(session: SyncSession): Promise<WireContent[]> {
  const { groups, models, modelMapChanged, undeclared } = session;
  const items: WireContent[] = [];
  for (const { tables, fullyRead, added, changed } of groups) {
    for (const [model, table] of tables) {
      if (!mayReferToAnyModel(fieldsOf(models, model))) continue;
      const isOfModel = ({ _model }: WireContent) => _model === model;
      if (modelMapChanged || undeclared.hasMoved || fullyRead.has(model)) items.push(...(await table.all()));
      else items.push(...[...added.values(), ...changed.values()].filter(isOfModel));
    }
  }
  return items;
}

async function lookUp(
  session: SyncSession,
  ids: readonly number[],
  wasVisible: (item: ModelOf) => boolean,
): Promise<void> {
  const { headsSource: source, isMainLanguage, undeclared } = session;
  const isUndeclared = ({ _model }: ModelOf) => !Object.hasOwn(session.models, _model);
  const found = await source.modelsOf(ids);
  const inMain = isMainLanguage ? [] : await source.modelsOf(ids, { mainLanguage: true });
  for (const id of ids) undeclared.delete(id);
  for (const item of found.filter(isUndeclared)) {
    undeclared.ids.add(item._id);
    if (!wasVisible(item)) undeclared.missing.add(item._id);
  }
  for (const { _id } of inMain.filter(isUndeclared))
    if (!undeclared.ids.has(_id)) undeclared.idsInMain.add(_id);
  const isDeclared = (one: ModelOf) => !isUndeclared(one);
  const known = new Set([...found, ...inMain.filter(isDeclared)].map(({ _id }) => _id));
  for (const id of ids) if (!known.has(id) && !undeclared.missingBefore.has(id)) undeclared.missing.add(id);
}
