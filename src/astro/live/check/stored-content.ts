import { type Content, replicasOf } from '../../../replica/content/content.ts';
import { DamagedSegment } from '../../../replica/content/segment-items.ts';
import { openSnapshotReader, type SnapshotReader } from '../../../replica/content/snapshot-reader.ts';
import type { Replica } from '../../../replica/replica.ts';
import { storedReplica } from '../../../replica/stored-replica.ts';
import type { SpaceCore } from '../../../space/space.ts';
import type { LiveHost } from './live-host.ts';

/** Another server may replace what is being read. */
const READ_ATTEMPTS = 3;

/** Reads what is stored: by this server, another one or a build. */
export class StoredContent {
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
    const { names } = await this.#reader(undefined);
    return [names.id, ...[...langs].sort()].join('+');
  }

  /** The newest stored content; `undefined` if not all of it is stored. What `current` has too is not read again. */
  async read(langs: readonly string[], current: Content | undefined): Promise<Content | undefined> {
    const [main, ...subs] = await Promise.all([
      this.#readOne(undefined, current?.main),
      ...langs.map((lang) => this.#readOne(lang, current?.sub.get(lang))),
    ]);
    if (!main || subs.some((replica) => replica === undefined)) return undefined;
    return { main, sub: new Map(langs.map((lang, index) => [lang, subs[index] as Replica])) };
  }

  async #readOne(lang: string | undefined, current: Replica | undefined): Promise<Replica | undefined> {
    const { load, segment: readSegment } = await this.#reader(lang);
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      const manifest = await load();
      if (!manifest) return undefined;
      const { models } = this.#space;
      const known = current?.allSegments();
      try {
        return await storedReplica({ models, lang, manifest, readSegment, known }).readAll();
      } catch (error) {
        if (!(error instanceof DamagedSegment)) throw error;
      }
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
 * Names the content, equally on all servers. Servers that could not reach the storage may have made different content of
 * the same generation.
 */
export function contentName({ main, sub }: Content): string {
  const subs = [...sub].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, replica]) => replica);
  return [main, ...subs]
    .map(({ manifest, fingerprint }) => [manifest.generation, fingerprint].join('-'))
    .join(' ');
}

/** The hashes of everything that content needs of the storage. */
export function storedHashes(content: Content): Set<string> {
  return new Set(
    replicasOf(content).flatMap((replica) => [
      ...replica.allSegments().map(({ hash }) => hash),
      ...(replica.manifest.facts ? [replica.manifest.facts.hash] : []),
    ]),
  );
}

/** When everything that is stored was known to be right: the time of the last full read, which is the least certain. */
export function confirmedAtOf(content: Content): number {
  return Math.min(...replicasOf(content).map(({ readAt }) => readAt));
}
