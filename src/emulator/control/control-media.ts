import { visitMedia } from '../../models/walk.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import type { Item } from '../state/item.ts';
import type { NewMedia } from '../state/seed-types.ts';
import type { Media } from '../state/state.ts';
import type { ControlContext } from './control-context.ts';

/** Changes media as editors do, without requests. */
export class MediaControl {
  readonly #context: ControlContext;

  constructor(context: ControlContext) {
    this.#context = context;
  }

  add(media: NewMedia): number {
    const { state, converter } = this.#context;
    const id = media.id ?? state.allocateId('media');
    if (state.media.has(id)) {
      const hint = 'Omit the id to get a free one.';
      throw new LuidConfigError(`media.add: media ${id} already exists`, { id, hint });
    }
    state.putMedia(converter.parseMedia({ ...media, id }, 'media.add'));
    // §8 mentions no purge for new media, but content may already contain its id.
    this.#context.onChange();
    return id;
  }

  setAlt(id: number, alt: string, { lang }: { lang?: string | undefined } = {}): void {
    const { state, converter, assumptions, onChange } = this.#context;
    const media = this.#find(id);
    const merged = { ...media.alt, [lang ?? state.languages.main]: alt };
    state.putMedia({ ...media, alt: converter.parseAlt(merged, `media ${id}.alt`) });
    if (assumptions().altTouchesUpdatedAt) this.#touchItemsWith(id);
    onChange();
  }

  archive(id: number): void {
    this.#setArchived(id, true);
  }

  restore(id: number): void {
    this.#setArchived(id, false);
  }

  /** Deletes a media permanently: fields with it become empty, and an uploaded file is removed. */
  remove(id: number): void {
    const { uploaded } = this.#find(id);
    this.#context.state.removeMedia(id);
    this.#context.onChange(uploaded ? { removedMedia: id } : {});
  }

  #setArchived(id: number, archived: boolean): void {
    this.#context.state.putMedia({ ...this.#find(id), archived });
    this.#context.onChange({ purgesCdn: this.#context.assumptions().mediaArchivePurges });
  }

  #touchItemsWith(id: number): void {
    const { state, storedNow } = this.#context;
    const users = [...state.items.values()].filter((item) => this.#usesMedia(item, id));
    for (const item of users) state.put({ ...item, updatedAt: storedNow() });
  }

  #usesMedia(item: Item, id: number): boolean {
    const fields = this.#context.state.fields(item.model) ?? {};
    let found = false;
    for (const values of [...Object.values(item.published ?? {}), ...Object.values(item.draft ?? {})]) {
      visitMedia(fields, values, ({ value }) => {
        found ||= value === id;
      });
    }
    return found;
  }

  #find(id: number): Media {
    const media = this.#context.state.media.get(id);
    if (media) return media;
    throw new LuidConfigError(`Media ${id} does not exist`, { id, hint: 'Add it first, or use another id.' });
  }
}
