import type { WriteResult } from '../../contract/content.ts';
import type { Uploads } from '../assets/uploads.ts';
import type { Change } from './change.ts';
import type { DataFile } from './data-file.ts';
import type { Media, State } from './state.ts';

/** Carries out writes one after the other. Where there is a data file, it has each of them first. */
export class Ledger {
  readonly #state: State;
  readonly #uploads: Uploads;
  readonly #file: DataFile | undefined;
  readonly #changed: () => void;
  readonly #onError: (error: unknown) => void;
  #turn: Promise<unknown> = Promise.resolve();
  #saving = false;

  constructor(parts: {
    state: State;
    uploads: Uploads;
    file: DataFile | undefined;
    /** Says that readers may see something else from now on. */
    changed: () => void;
    onError: (error: unknown) => void;
  }) {
    this.#state = parts.state;
    this.#uploads = parts.uploads;
    this.#file = parts.file;
    this.#changed = parts.changed;
    this.#onError = parts.onError;
  }

  /**
   * Carries out a change. `derive` tells it from the state, and is asked again if that has changed
   * meanwhile. If the file cannot be written, nothing has happened.
   */
  commit(derive: () => Change): Promise<WriteResult> {
    return this.#inTurn(async () => {
      for (;;) {
        const { revision } = this.#state;
        const change = derive();
        await this.#file?.save(this.#state, change);
        if (this.#state.revision === revision) return this.#apply(change);
      }
    });
  }

  /** Takes a file in, then the media that it belongs to. */
  async upload(media: Omit<Media, 'id'>, bytes: Uint8Array<ArrayBuffer>): Promise<WriteResult> {
    const id = this.#state.claimId('media');
    await this.#uploads.put(id, bytes);
    try {
      return await this.commit(() => ({ media: { ...media, id } }));
    } catch (error) {
      await this.#uploads.remove(id);
      throw error;
    }
  }

  /** Brings the file up to a state that was changed without requests: once for all changes of a moment. */
  save(): void {
    const file = this.#file;
    if (!file || this.#saving) return;
    this.#saving = true;
    const saved = this.#inTurn(() => {
      this.#saving = false;
      return file.save(this.#state);
    });
    saved.catch(this.#onError);
  }

  /** Resolves when the file has everything that happened until now. */
  async saved(): Promise<void> {
    await this.#turn;
  }

  async #apply(change: Change): Promise<WriteResult> {
    if ('item' in change) this.#state.put(change.item);
    else if ('media' in change) this.#state.putMedia(change.media);
    else if ('item' in change.gone) this.#state.remove(change.gone.item.id);
    else this.#state.removeMedia(change.gone.media.id);
    this.#changed();
    const subject = 'gone' in change ? change.gone : change;
    if ('gone' in change && 'media' in subject) await this.#uploads.remove(subject.media.id);
    return { id: 'item' in subject ? subject.item.id : subject.media.id };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
