import type { Entry } from '../../../entries/collection.ts';
import type { Content } from '../../../replica/content/content.ts';
import type { CollectionImages, MeasuredImages } from '../../collection/make/collection-images.ts';
import type { Collection } from '../../collection/view/collection.ts';
import { CollectionView } from '../../collection/view/collection-view.ts';

/** A collection in one version, with everything that is known about it there. */
export interface PreparedCollection {
  readonly view: CollectionView;
  /** The dimensions of the images in all entries. */
  readonly images: MeasuredImages | undefined;
}

/** A version of the content, and the collections that are used in it. */
export class VersionState {
  /** Counts from 1. */
  readonly number: number;
  readonly content: Content;
  /** The collections that are compared when this version is replaced; `undefined` before that begins. */
  covered: ReadonlySet<Collection> | undefined;
  readonly #collections = new Map<Collection, Promise<PreparedCollection>>();
  readonly #prepared = new Set<Collection>();
  readonly #used = new Set<Collection>();

  constructor(number: number, content: Content) {
    this.number = number;
    this.content = content;
  }

  hasLangs(langs: Iterable<string>): boolean {
    return [...langs].every((lang) => this.content.sub.has(lang));
  }

  /** The collections that were used, whether that succeeded or not. */
  get used(): readonly Collection[] {
    return [...this.#used];
  }

  /** Whether requests need not wait until the members of a collection are found. */
  isPrepared(collection: Collection): boolean {
    return this.#prepared.has(collection);
  }

  /** Prepares a collection when it is first used. */
  prepare(
    collection: Collection,
    images: CollectionImages | undefined,
    openView = () => openWhole(collection, this.content),
  ): Promise<PreparedCollection> {
    this.#used.add(collection);
    const known = this.#collections.get(collection);
    if (known) return known;
    const preparing = prepare(images, openView);
    this.#collections.set(collection, preparing);
    preparing.then(
      () => this.#prepared.add(collection),
      // Tried again by the next request.
      () => this.#collections.delete(collection),
    );
    return preparing;
  }
}

async function openWhole(collection: Collection, content: Content): Promise<CollectionView> {
  const view = await CollectionView.open(collection, content);
  await view.findBacklinks();
  return view;
}

async function prepare(
  images: CollectionImages | undefined,
  openView: () => Promise<CollectionView>,
): Promise<PreparedCollection> {
  const view = await openView();
  if (!images) return { view, images: undefined };
  const entries: Entry[] = view.all.map((member) => view.entryOf(member));
  return { view, images: await images.measure(entries) };
}
