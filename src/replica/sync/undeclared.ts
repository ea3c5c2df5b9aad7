import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { visitLeaves } from '../../models/walk.ts';
import { mayReferToAnyModel } from '../reference-fields.ts';
import type { SyncSession } from './session.ts';
import type { ModelOf } from './source.ts';

/**
 * Finds out which references lead to content of undeclared models. An id that is in no copy is either of such
 * content or of content that no longer exists, which only a request can find out. Every id is looked up when an item
 * that refers to it is read, and again whenever content of undeclared models appeared or disappeared.
 */
export async function lookUpUndeclared(session: SyncSession): Promise<void> {
  const known = new Set([...session.undeclared, ...session.undeclaredInMain]);
  const ids = new Set(session.undeclaredMoved ? known : []);
  const isAnew = session.undeclaredMoved || session.groups.some(({ readInFull }) => readInFull.size > 0);
  for (const item of await itemsToInspect(session)) {
    visitLeaves(session.models[item._model] ?? {}, item, ({ field, value }) => {
      if (field.type === 'reference' && !targetsOf(field) && typeof value === 'number') ids.add(value);
    });
  }
  if (ids.size === 0) return;
  for (const { copies } of session.groups) {
    for (const copy of copies.values()) {
      for (const { _id } of await copy.all()) {
        session.undeclared.delete(_id);
        session.undeclaredInMain.delete(_id);
        ids.delete(_id);
      }
    }
  }
  const unknown = [...ids].filter((id) => isAnew || !known.has(id)).sort((a, b) => a - b);
  await Promise.all(chunks(unknown).map((some) => lookUp(session, some)));
}

/** What may refer to anything, and was read in this sync or refers to what may exist now. */
async function itemsToInspect(session: SyncSession): Promise<WireContent[]> {
  const { groups, models, hasOtherModels, undeclaredMoved } = session;
  const items: WireContent[] = [];
  for (const { copies, readInFull, added, changed } of groups) {
    for (const [model, copy] of copies) {
      if (!mayReferToAnyModel(models[model] ?? {})) continue;
      const isOfModel = ({ _model }: WireContent) => _model === model;
      if (hasOtherModels || undeclaredMoved || readInFull.has(model)) items.push(...(await copy.all()));
      else items.push(...[...added.values(), ...changed.values()].filter(isOfModel));
    }
  }
  return items;
}

async function lookUp(session: SyncSession, ids: readonly number[]): Promise<void> {
  const { headsSource: source, isMainLanguage, undeclared, undeclaredInMain } = session;
  const isUndeclared = ({ _model }: ModelOf) => !Object.hasOwn(session.models, _model);
  const found = (await source.modelsOf(ids)).filter(isUndeclared);
  const inMain = isMainLanguage ? [] : await source.modelsOf(ids, { mainLanguage: true });
  for (const id of ids) {
    undeclared.delete(id);
    undeclaredInMain.delete(id);
  }
  for (const { _id } of found) undeclared.add(_id);
  for (const { _id } of inMain.filter(isUndeclared)) if (!undeclared.has(_id)) undeclaredInMain.add(_id);
}
