import type { WriteResult } from '../../contract/content.ts';
import type { Uploads } from '../assets/uploads.ts';
import type { DataFile, WriteOperation } from './data-file.ts';
import type { Media, State } from './state.ts';

interface WriteQueueOptions {
  readonly state: State;
  readonly uploads: Uploads;
  readonly file: DataFile | undefined;
  /** Called when reads may return something else from now on. */
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** Runs writes one after the other. With a data file, each is on disk before it is applied. */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #last: Promise<unknown> = Promise.resolve();
  #isSavePending = false;
  /** Settles when the last state that was changed without requests is on disk; rejects if it cannot be written. */
  lastSave: Promise<void> = Promise.resolve();

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  /**
   * Runs a write. `createOperation` computes it from the state, and is called again if the state changes
   * before it is applied. If the file cannot be written, nothing changes.
   */
  commit(createOperation: () => WriteOperation): Promise<WriteResult> {
    const { state, file } = this.#options;
    return this.#enqueue(async () => {
      for (;;) {
        const { revision } = state;
        const operation = createOperation();
        await file?.save(state, operation);
        if (state.revision === revision) return this.#apply(operation);
      }
    });
  }

  /** Stores a file, then the media that it belongs to. */
  async upload(media: Omit<Media, 'id'>, bytes: Uint8Array<ArrayBuffer>): Promise<WriteResult> {
    const { state, uploads } = this.#options;
    const id = state.allocateId('media');
    await uploads.write(id, bytes);
    try {
      return await this.commit(() => ({ media: { ...media, id } }));
    } catch (error) {
      await uploads.remove(id);
      throw error;
    }
  }

  /** Saves a state that was changed without requests: once for all changes of one tick. */
  save(): void {
    const { state, file, onError } = this.#options;
    if (!file || this.#isSavePending) return;
    this.#isSavePending = true;
    this.lastSave = this.#enqueue(() => {
      this.#isSavePending = false;
      return file.save(state);
    });
    this.lastSave.catch(onError);
  }

  /** Resolves when the file contains every change made until now. */
  async saved(): Promise<void> {
    await this.#last;
  }

  async #apply(operation: WriteOperation): Promise<WriteResult> {
    const { state, uploads, onChange } = this.#options;
    if ('item' in operation) state.put(operation.item);
    else if ('media' in operation) state.putMedia(operation.media);
    else if ('item' in operation.removed) state.remove(operation.removed.item.id);
    else state.removeMedia(operation.removed.media.id);
    onChange();
    const subject = 'removed' in operation ? operation.removed : operation;
    if ('removed' in operation && 'media' in subject) await uploads.remove(subject.media.id);
    return { id: 'item' in subject ? subject.item.id : subject.media.id };
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
