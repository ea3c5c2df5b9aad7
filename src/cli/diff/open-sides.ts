import { statSync } from 'node:fs';
import type { ModelMap } from '../../models/types.ts';
import type { SyncedSpace } from '../../space/replica-options.ts';
import type { Settings } from '../../space/space-options.ts';
import { folderSource } from '../backup/files.ts';
import { memoryCache, openContent, sourceOf } from '../backup/open-content.ts';
import { type Export, readExport } from '../backup/read-export.ts';
import { type Side, sideOfSpace } from '../backup/side.ts';
import { spaceOfEnvFile } from '../backup/space-of-env-file.ts';
import type { Values } from '../shared/command.ts';
import { loadSpace, type SPACE_OPTIONS } from '../shared/load-space.ts';
import { logWarning } from '../shared/output.ts';
import { gitSource, parseRevision } from './git-source.ts';

type SpaceOptions = Values<typeof SPACE_OPTIONS>;

/** Opens what two arguments name. A space is read with the models, languages and keys that the other side has. */
export async function openSides(names: readonly string[], options: SpaceOptions): Promise<[Side, Side]> {
  const [a, b] = [await openExport(names[0]), await openExport(names[1])];
  const other = a ?? b;
  return [a ?? (await openSpace(names[0], other, options)), b ?? (await openSpace(names[1], other, options))];
}

async function openExport(name: string | undefined): Promise<Export | undefined> {
  if (name === undefined) return undefined;
  const found = statSync(name, { throwIfNoEntry: false });
  if (found) return found.isDirectory() ? readExport(folderSource(name)) : undefined;
  const revision = parseRevision(name);
  return revision && readExport(gitSource(name, revision));
}

async function openSpace(
  file: string | undefined,
  other: Export | undefined,
  options: SpaceOptions,
): Promise<Side> {
  const { space, name } = await findSpace(file, other, options);
  const [source, connection] = [await sourceOf(space), await space.connect()()];
  const content = await openContent(space, {
    cache: memoryCache(),
    drafts: other?.manifest.selection.drafts ?? false,
    logger: { info: () => {}, warn: logWarning },
  });
  return sideOfSpace(name, content, { connection, assetsUrl: source.assetsUrl });
}

/** The space of a `.env` file, or of the project. */
export async function findSpace(
  file: string | undefined,
  other: Pick<Export, 'models' | 'manifest'> | undefined,
  options: SpaceOptions,
): Promise<{ space: SyncedSpace; name: string }> {
  const known: { models: ModelMap; languages: Settings['languages'] } | undefined = other && {
    models: other.models,
    languages: { ...other.manifest.languages, sub: [...other.manifest.languages.sub] },
  };
  if (file !== undefined && known) {
    return { space: spaceOfEnvFile(file, known.models, known.languages), name: file };
  }
  const { space, name } = await loadSpace(options);
  if (file !== undefined) {
    return { space: spaceOfEnvFile(file, space.models, space.settings.languages), name: file };
  }
  if (!known) return { space, name };
  const settings = { ...space.settings, languages: known.languages };
  return { space: { ...space, models: known.models, settings }, name };
}
