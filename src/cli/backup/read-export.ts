import type { Seed } from '../../emulator/index.ts';
import { checkModels } from '../../models/check.ts';
import type { ModelMap } from '../../models/types.ts';
import { LuidError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';
import type { BackupItem } from './backup-item.ts';
import { type FileSource, sha256OfText } from './files.ts';
import { MANIFEST, type Manifest, MODELS, parseManifest } from './manifest.ts';
import { byId, type Side } from './side.ts';

/** An export that is complete and unchanged. */
export interface Export extends Side {
  readonly manifest: Manifest;
}

export async function readManifest(source: FileSource): Promise<Manifest | undefined> {
  for await (const [, bytes] of source.read([MANIFEST])) return parseManifest(bytes.toString(), source.name);
  return undefined;
}

/** Reads an export and compares each file with its hash: media excepted, which `restore` checks when it sends them. */
export async function readExport(source: FileSource): Promise<Export> {
  const { name } = source;
  const manifest = await readManifest(source);
  if (!manifest) {
    throw new LuidError(`${name} is not an export: it has no ${MANIFEST}`, {
      hint: 'Write one with luid export DIR.',
    });
  }
  if (!manifest.complete) {
    throw new LuidError(`The export in ${name} was interrupted, so it is incomplete`, {
      hint: 'Run luid export again: it continues where it stopped.',
    });
  }
  const missing = new Set(Object.keys(manifest.files));
  const parsed = new Map<string, unknown>();
  for await (const [path, bytes] of source.read([...missing])) {
    missing.delete(path);
    if (sha256OfText(bytes) !== manifest.files[path])
      throw changed(name, path, 'is not what luid export wrote');
    parsed.set(path, JSON.parse(bytes.toString()));
  }
  const [lost] = missing;
  if (lost !== undefined) throw changed(name, lost, 'is missing');
  const models = parsed.get(MODELS);
  checkModels(models, `${name}/${MODELS}`);
  parsed.delete(MODELS);
  const items = [...parsed].map(([path, item]) => {
    if (!isItem(item, models as ModelMap)) throw changed(name, path, 'is not an item of its models');
    return item;
  });
  const { languages, selection, source: space } = manifest;
  return {
    name,
    manifest,
    models: models as ModelMap,
    languages: [languages.main, ...languages.sub],
    hasDrafts: selection.drafts,
    items: byId(items),
    media: byId(manifest.media),
    assetsUrl: space.assetsUrl,
  };
}

function isItem(value: unknown, models: ModelMap): value is BackupItem {
  if (!isRecord(value)) return false;
  const { id, model, published, draft } = value;
  return (
    Number.isSafeInteger(id) &&
    Object.hasOwn(models, String(model)) &&
    [published, draft].every(
      (data) => data === undefined || (isRecord(data) && Object.values(data).every(isRecord)),
    )
  );
}

function changed(name: string, path: string, problem: string): LuidError {
  return new LuidError(`${path} in ${name} ${problem}`, {
    hint: 'Restore it from git or a copy, or run luid export again.',
  });
}

/** The space of an export for the emulator. Its keys are not those of the service, which no export contains. */
export function toSeed({ manifest, models, items }: Export): Seed {
  const contents = [...items.values()];
  const spaces = new Set(contents.flatMap(({ space }) => space ?? []));
  return {
    languages: manifest.languages,
    ...(spaces.size > 0 && { spaces: [...spaces] }),
    keys: [
      { key: 'published-key', reads: 'published' },
      { key: 'draft-key', reads: 'drafts' },
    ],
    models,
    media: manifest.media.map(({ id, file, alt }) => ({ id, file, alt })),
    contents,
  };
}
