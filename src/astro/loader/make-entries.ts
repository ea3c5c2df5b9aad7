import type { Content } from '../../replica/content/content.ts';
import { pluralize } from '../../shared/format-count.ts';
import type { BuildCollection } from './build-collection.ts';
import { allEntries, changedEntries, type EntriesToMake } from './entries-to-make.ts';
import { type StagedEntries, stageEntries } from './stage-entries.ts';
import type { PreviousLoad } from './stored-load.ts';

/** Makes the entries that may have changed, or all of them if it is not certain which these are. */
export async function makeEntries(
  collection: BuildCollection,
  content: Content,
  previous: PreviousLoad,
  everything: EntriesToMake | undefined,
): Promise<{ readonly made: EntriesToMake; readonly staged: StagedEntries }> {
  const changed = everything ? undefined : await changedEntries(collection, content, previous);
  const staged = changed && (await stageEntries(collection, changed));
  // The neighbours of skipped entries change too.
  const isCertain = !collection.settings.order || staged?.skipped.size === 0;
  if (!changed || !staged || !isCertain) {
    const all = everything ?? (await allEntries(collection, content));
    return { made: all, staged: await stageEntries(collection, all) };
  }
  const { logger, collection: name } = collection.context;
  logger.debug(`${name}: ${pluralize(changed.entries.length, 'entry', 'entries')} made again`);
  return { made: changed, staged };
}
