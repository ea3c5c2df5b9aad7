import { resolve } from 'node:path';
import { pluralize } from '../../shared/format-count.ts';
import { printable } from '../../shared/printable.ts';
import { openContent, sourceOf } from '../backup/open-content.ts';
import { defineCommand, type Passed, type Values } from '../shared/command.ts';
import { exitOnSignals } from '../shared/exit-on-signals.ts';
import { loadSpace, SPACE_OPTIONS } from '../shared/load-space.ts';
import { CACHE_OPTION, openCache } from '../shared/open-cache.ts';
import { flag, list } from '../shared/option-kinds.ts';
import { logError, logInfo, logWarning } from '../shared/output.ts';
import { type ExportResult, writeExport } from './write-export.ts';

const OPTIONS = {
  drafts: flag('drafts too, which needs both keys'),
  models: list('MODEL,…', 'only these models (default: all)', 'models such as article,author'),
  langs: list('LANG,…', 'only these languages and the main one (default: all)', 'languages such as ja,en'),
  'no-media': flag('without the files of media'),
  ...CACHE_OPTION,
  ...SPACE_OPTIONS,
};

const NOTES = `Run it again to update the export: only what changed is requested and written. An interrupted run
continues where it stopped. Files that no export wrote are neither changed nor removed.

Exit codes: 0 complete, 1 something is missing (its name is printed) or another failure, 2 invalid options.

  luid export backup
  luid export backup --drafts --langs en
  luid emulator --seed backup`;

export const exportCommand = defineCommand(
  {
    name: 'export',
    about: 'write the content of a space and its media into a folder',
    positionals: [{ argument: 'DIR', about: 'where the export is, or will be' }],
    options: OPTIONS,
    notes: NOTES,
  },
  runExport,
);

async function runExport(options: Values<typeof OPTIONS> & Passed): Promise<number> {
  const { drafts, langs = null, models = null } = options;
  const folder = resolve(options.positionals[0] ?? '');
  const { space, dir } = await loadSpace(options);
  const cache = await openCache(space, dir, options['cache-dir']);
  const removeSignalHandlers = exitOnSignals(cache.close);
  const source = await sourceOf(space);
  const connection = await space.connect()();
  const logger = { info: logInfo, warn: logWarning };
  const content = await openContent(space, { cache, drafts, models, langs, logger });
  const result = await writeExport({
    folder,
    content,
    source,
    selection: { drafts, media: !options['no-media'], models, langs },
    mediaSource: { connection, assetsUrl: source.assetsUrl },
  });
  removeSignalHandlers();
  await cache.storage.dispose().catch(() => {});
  return report(folder, result, content.undeclared);
}

function report(folder: string, result: ExportResult, undeclared: ReadonlyMap<string, number>): number {
  const { counts, written, removed, downloaded, missing } = result;
  for (const { url, reason } of missing) logError(`media ${printable(url)} ${reason}`);
  for (const [path, id] of undeclared) {
    const problem = 'src/space.ts does not declare it. Run luid init to add it';
    logError(`${printable(path)} is not in the export, as in content ${id}: ${problem}`);
  }
  const size = `${pluralize(counts.items, 'item')}, ${pluralize(counts.media, 'media file')}`;
  const changes = `${pluralize(written, 'file')} written, ${removed} removed, ${downloaded} downloaded`;
  const isComplete = missing.length === 0 && undeclared.size === 0;
  logInfo(`${isComplete ? 'Exported' : 'Incomplete export'} to ${folder}: ${size}; ${changes}`);
  return isComplete ? 0 : 1;
}
