import { createHash } from 'node:crypto';
import { createConnectedClient } from '../../client/client.ts';
import type { Connection } from '../../client/http/connection.ts';
import type { WireContent } from '../../contract/content.ts';
import { canonicalJson } from '../../models/canonical-json.ts';
import { LuidConfigError, LuidError } from '../../shared/errors.ts';
import type { SyncedSpace } from '../../space/replica-options.ts';
import type { BackupItem } from '../backup/backup-item.ts';
import { MediaIndex } from '../backup/media-index.ts';
import { memoryCache, openContent, portableModels, sourceOf } from '../backup/open-content.ts';
import type { Export } from '../backup/read-export.ts';
import { type Side, sideOfSpace } from '../backup/side.ts';
import { type SpaceContent, toBackupItem, type WireLanguages } from '../backup/space-content.ts';
import { logWarning } from '../shared/output.ts';

/** An item of the target at one moment. */
export interface TargetItem {
  readonly item: BackupItem;
  /** Equal for what the keys show of an item, in every language. */
  readonly fingerprint: string;
  /** Fields that the model map does not declare. */
  readonly undeclared: readonly string[];
}

/** The space that an export is written into. */
export interface Target {
  readonly source: Export['manifest']['source'];
  readonly connection: Connection;
  readonly content: SpaceContent;
  readonly side: Side;
  /** Whether the export is of this space, so that ids are the same. */
  readonly isSource: boolean;
  readonly client: ReturnType<typeof createConnectedClient>;
  fingerprint(id: number): string;
  /** Requests an item; `undefined` if it is gone. */
  readNow(id: number): Promise<TargetItem | undefined>;
}

export async function openTarget(space: SyncedSpace, name: string, { manifest }: Export): Promise<Target> {
  const { languages, selection, source: exported } = manifest;
  const drafts = selection.drafts || (await hasDraftKey(space));
  if (!drafts)
    logWarning(
      'Without LUID_DRAFT_API_KEY, drafts in the space are not seen: what is unpublished is created again',
    );
  const source = await sourceOf(space);
  // §8: the limit of writes is one of each key.
  const connect = space.connect({ drafts });
  const connection = await connect();
  const content = await openContent(space, {
    cache: memoryCache(),
    drafts,
    logger: { info: () => {}, warn: logWarning },
  });
  const media = new MediaIndex(source.assetsUrl);
  const read = await sideOfSpace(name, content, { connection, assetsUrl: source.assetsUrl }, media);
  // Grows with what is read later.
  const side = { ...read, media: new Map(read.media) };
  const models = portableModels(space.models);
  const client = createConnectedClient(connect, models, space.settings.space);
  const readers = {
    published: createConnectedClient(space.connect(), models, space.settings.space),
    drafts: drafts ? client : undefined,
  };
  const langs = [languages.main, ...languages.sub];
  const readLanguages = async (reader: typeof client, id: number) => {
    const items = await Promise.all(
      langs.map(async (lang, index) => {
        const query = { depth: 0 as const, ...(index > 0 && { lang }) };
        return [lang, await ifExists(reader.contents.get(id, query))] as const;
      }),
    );
    return new Map(items.flatMap(([lang, item]) => (item ? [[lang, item as WireContent] as const] : [])));
  };
  return {
    source,
    connection,
    content,
    side,
    isSource: source.baseUrl === exported.baseUrl && source.space === exported.space,
    client,
    fingerprint: (id) => fingerprintOf(content.wire(id)),
    async readNow(id) {
      const [published, seen] = await Promise.all([
        readLanguages(readers.published, id),
        readers.drafts && readLanguages(readers.drafts, id),
      ]);
      const wire: WireLanguages = { published, drafts: seen };
      const undeclared: string[] = [];
      const known = media.size;
      const item = toBackupItem(
        space.models,
        wire,
        media,
        () => false,
        (path) => undeclared.push(path),
      );
      if (media.size > known) for (const one of media.list(languages.main)) side.media.set(one.id, one);
      return item && { item, fingerprint: fingerprintOf(wire), undeclared };
    },
  };
}

async function hasDraftKey(space: SyncedSpace): Promise<boolean> {
  return space
    .connect({ drafts: true })()
    .then(
      () => true,
      (error) => {
        if (LuidConfigError.is(error)) return false;
        throw error;
      },
    );
}

async function ifExists<T>(request: Promise<T>): Promise<T | undefined> {
  return request.catch((error) => {
    if (LuidError.is(error) && error.status === 404) return undefined;
    throw error;
  });
}

function fingerprintOf({ published, drafts }: WireLanguages): string {
  const text = canonicalJson([[...published], [...(drafts ?? [])]]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
