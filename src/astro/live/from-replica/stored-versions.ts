import { hashText } from '../../../hash-text.ts';
import { type MemoryReplica, readReplica } from '../../../replica/memory/memory-replica.ts';
import { openSnapshotReader, type SnapshotReader } from '../../../replica/memory/snapshot-reader.ts';
import type { Manifest } from '../../../replica/store/manifest.ts';
import type { SpaceCore } from '../../../space/space.ts';
import { type ContentVersion, replicasOf } from './content-version.ts';
import type { LiveHost } from './live-host.ts';

/** Another server may replace what is being read. */
const READ_ATTEMPTS = 3;

/** Reads what is stored: by this server, another one or a build. */
export class StoredVersions {
  readonly #space: Pick<SpaceCore, 'models' | 'settings'>;
  readonly #host: Pick<LiveHost, 'storage' | 'baseUrl' | 'apiKey'>;
  readonly #readers = new Map<string | undefined, Promise<SnapshotReader>>();

  constructor(
    space: Pick<SpaceCore, 'models' | 'settings'>,
    host: Pick<LiveHost, 'storage' | 'baseUrl' | 'apiKey'>,
  ) {
    this.#space = space;
    this.#host = host;
  }

  /** Names what is read, equally on all servers. */
  async idOf(langs: Iterable<string>): Promise<string> {
    const { id } = await this.#reader(undefined);
    return [id, ...[...langs].sort()].join('+');
  }

  /** The newest stored version; `current` if that is the same; `undefined` if not all of it is stored. */
  async read(
    langs: readonly string[],
    current: ContentVersion | undefined,
  ): Promise<ContentVersion | undefined> {
    const [main, ...subs] = await Promise.all([
      this.#readOne(undefined, current?.main),
      ...langs.map((lang) => this.#readOne(lang, current?.sub.get(lang))),
    ]);
    if (!main || subs.some((replica) => replica === undefined)) return undefined;
    const sub = new Map(langs.map((lang, index) => [lang, subs[index] as MemoryReplica]));
    const isSame = current?.main === main && langs.every((lang) => current.sub.get(lang) === sub.get(lang));
    return isSame ? current : { number: (current?.number ?? 0) + 1, main, sub };
  }

  async #readOne(
    lang: string | undefined,
    before: MemoryReplica | undefined,
  ): Promise<MemoryReplica | undefined> {
    const reader = await this.#reader(lang);
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      const manifest = await reader.load();
      if (!manifest) return undefined;
      if (before && nameOf(manifest) === nameOf(before.manifest)) return before;
      const replica = await readReplica(this.#space.models, reader, manifest, before);
      if (replica) return replica;
    }
    return undefined;
  }

  #reader(lang: string | undefined): Promise<SnapshotReader> {
    const { models, settings } = this.#space;
    const { storage, baseUrl, apiKey } = this.#host;
    const opening =
      this.#readers.get(lang) ??
      openSnapshotReader(storage, models, { baseUrl, apiKey, space: settings.space, lang });
    this.#readers.set(lang, opening);
    return opening;
  }
}

/**
 * Names a version of the content, equally on all servers. Servers that could not reach the storage may have made
 * different content of the same generation.
 */
export function contentName({ main, sub }: Pick<ContentVersion, 'main' | 'sub'>): string {
  const subs = [...sub].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, replica]) => replica);
  return [main, ...subs].map(({ manifest }) => nameOf(manifest)).join(' ');
}

const names = new WeakMap<Manifest, string>();

function nameOf(manifest: Manifest): string {
  const name = names.get(manifest) ?? `${manifest.generation}-${hashText(JSON.stringify(manifest))}`;
  names.set(manifest, name);
  return name;
}

/** The hashes of everything that a version needs of the storage. */
export function storedHashes(version: ContentVersion): Set<string> {
  return new Set(
    replicasOf(version).flatMap((replica) => [
      ...[...replica.allSegments()].map(({ hash }) => hash),
      ...(replica.manifest.facts ? [replica.manifest.facts.hash] : []),
    ]),
  );
}

/** When everything that is stored was known to be right: the time of the last full read, which is the least certain. */
export function confirmedAtOf(version: Pick<ContentVersion, 'main' | 'sub'>): number {
  const times = replicasOf(version).flatMap(({ manifest }) =>
    Object.values(manifest.models).map(({ readAt }) => readAt),
  );
  return Math.min(...times);
}
