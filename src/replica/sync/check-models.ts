import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { LuidError } from '../../shared/errors.ts';
import { printable } from '../../shared/printable.ts';
import type { SyncSession } from './session.ts';

/** A model that had content and has none any more was renamed by its owner, or emptied. */
export async function checkModels(session: SyncSession): Promise<void> {
  for (const group of session.groups) {
    for (const [model, table] of group.tables) {
      if (table.count > 0) continue;
      const gone = [...group.removed.values()].filter((item) => item._model === model);
      if (gone.length > 0) await refuseRenamed(session, model, gone);
      // That a model was never translated is not unusual.
      else if (session.isMainLanguage)
        session.logger.warn(
          `${model} has no content that this key can see: is its LUID right? Run \`npx luid check\` to compare the models with the content`,
        );
    }
  }
}

async function refuseRenamed(
  session: SyncSession,
  model: string,
  gone: readonly WireContent[],
): Promise<void> {
  const [ids = []] = chunks(gone.map(({ _id }) => _id));
  const found = await session.headsSource.modelsOf(ids);
  const other = found.find(({ _model }) => _model !== model);
  if (!other) return;
  const renamed = printable(other._model, 60);
  throw new LuidError(`There is no model ${model} any more: its content is of ${renamed} now`, {
    model,
    hint: `Write ${renamed} in place of ${model} in the model map.`,
  });
}
