import { LuidConfigError } from '../../errors.ts';
import { visitMedia } from '../../models/walk.ts';
import type { Item } from '../state/item.ts';
import type { NewMedia } from '../state/seed.ts';
import type { Media } from '../state/state.ts';
import type { Workbench } from './control-contents.ts';

/** What editors do to media, without requests. */
export class MediaControl {
  readonly #bench: Workbench;

  constructor(bench: Workbench) {
    this.#bench = bench;
  }

  add(media: NewMedia): number {
    const { state, intaker } = this.#bench;
    const id = media.id ?? state.claimId('media');
    if (state.media.has(id)) {
      throw new LuidConfigError(`media.add: there is a media ${id} already`, {
        id,
        hint: 'Leave the id out to get a free one.',
      });
    }
    state.putMedia(intaker.media({ ...media, id }, 'media.add'));
    // §8 names no purge for new media, but content may have referred to its id before.
    this.#bench.changed();
    return id;
  }

  setAlt(id: number, alt: string, { lang }: { lang?: string | undefined } = {}): void {
    const { state, intaker, assumptions, changed } = this.#bench;
    const media = this.#media(id);
    const merged = { ...media.alt, [lang ?? state.languages.main]: alt };
    state.putMedia({ ...media, alt: intaker.alt(merged, `media ${id}.alt`) });
    if (assumptions().altTouchesUpdatedAt) this.#touchUsers(id);
    changed();
  }

  archive(id: number): void {
    this.#setArchived(id, true);
  }

  restore(id: number): void {
    this.#setArchived(id, false);
  }

  /** Deletes a media for good: fields that show it become empty. */
  remove(id: number): void {
    this.#media(id);
    this.#bench.state.removeMedia(id);
    this.#bench.changed();
  }

  #setArchived(id: number, archived: boolean): void {
    this.#bench.state.putMedia({ ...this.#media(id), archived });
    this.#bench.changed(this.#bench.assumptions().mediaArchivePurges);
  }

  #touchUsers(id: number): void {
    const { state, stamp } = this.#bench;
    for (const item of [...state.items.values()]) {
      if (this.#shows(item, id)) state.put({ ...item, updatedAt: stamp() });
    }
  }

  #shows(item: Item, id: number): boolean {
    const fields = this.#bench.state.fields(item.model) ?? {};
    let found = false;
    for (const values of [...Object.values(item.published ?? {}), ...Object.values(item.draft ?? {})]) {
      visitMedia(fields, values, ({ value }) => {
        found ||= value === id;
      });
    }
    return found;
  }

  #media(id: number): Media {
    const media = this.#bench.state.media.get(id);
    if (media) return media;
    throw new LuidConfigError(`There is no media ${id}`, { id, hint: 'Add it first, or use another id.' });
  }
}
