import type { Entry } from '../../../entries/collection.ts';
import type { CollectionImages, MeasuredImages } from '../../loader/collection-images.ts';
import { type CollectionView, type LiveCollection, openCollectionView } from './collection-view.ts';
import type { ContentVersion } from './content-version.ts';

/** A collection in one version, with everything that is known about it there. */
export interface PreparedCollection {
  readonly view: CollectionView;
  /** The dimensions of the images in all entries. */
  readonly images: MeasuredImages | undefined;
}

/** A version of the content, and the collections that are used in it. */
export class VersionState {
  readonly version: ContentVersion;
  /** The collections whose changes are found when this version is replaced; `undefined` before that begins. */
  covered: ReadonlySet<LiveCollection> | undefined;
  readonly #collections = new Map<LiveCollection, Promise<PreparedCollection>>();
  readonly #used = new Set<LiveCollection>();
  readonly #quickIds = new Map<LiveCollection, Set<string>>();

  constructor(version: ContentVersion) {
    this.version = version;
  }

  hasLangs(langs: Iterable<string>): boolean {
    return [...langs].every((lang) => this.version.sub.has(lang));
  }

  /** The collections that were used, whether that succeeded or not. */
  get used(): readonly LiveCollection[] {
    return [...this.#used];
  }

  /** Remembers that a page shows an entry, before the members of its collection are known: that may fail later. */
  addQuickId(collection: LiveCollection, id: string): void {
    const ids = this.#quickIds.get(collection) ?? new Set();
    this.#quickIds.set(collection, ids.add(id));
  }

  quickIds(collection: LiveCollection): Iterable<string> {
    return this.#quickIds.get(collection) ?? [];
  }

  /** A collection that was prepared; `undefined` if that failed. */
  async prepared(collection: LiveCollection): Promise<PreparedCollection | undefined> {
    return this.#collections.get(collection)?.catch(() => undefined);
  }

  /** Whether a collection is prepared, or being prepared. */
  has(collection: LiveCollection): boolean {
    return this.#collections.has(collection);
  }

  /** Prepares a collection when it is first used. */
  prepare(collection: LiveCollection, images: CollectionImages | undefined): Promise<PreparedCollection> {
    this.#used.add(collection);
    const known = this.#collections.get(collection);
    if (known) return known;
    const preparing = prepare(collection, this.version, images);
    this.#collections.set(collection, preparing);
    // What failed is tried again by the next request.
    preparing.catch(() => this.#collections.delete(collection));
    return preparing;
  }
}

async function prepare(
  collection: LiveCollection,
  version: ContentVersion,
  images: CollectionImages | undefined,
): Promise<PreparedCollection> {
  const view = await openCollectionView(collection, version);
  if (!images) return { view, images: undefined };
  const entries: Entry[] = view.members.map((member) => view.entryOf(member));
  return { view, images: await images.measure(entries) };
}
