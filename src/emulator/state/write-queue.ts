import type { WriteResult } from '../../contract/content.ts';
import type { Uploads } from '../assets/uploads.ts';
import type { DataFile, WriteOperation } from './data-file.ts';
import { createClosedError } from './data-lock.ts';
import type { Media, State } from './state.ts';

interface WriteQueueOptions {
  readonly state: State;
  readonly uploads: Uploads;
  readonly file: DataFile | undefined;
  /** Called when reads may return something else from now on. */
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** How often a write is stored before other code has to wait for it. */
const MAX_ATTEMPTS = 3;

/** Runs writes one after the other. With a data file, each is on disk before it is applied. */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #last: Promise<unknown> = Promise.resolve();
  readonly #uploads = new Set<Promise<WriteResult>>();
  #isSavePending = false;
  /** Whether the file is being closed, or is. Without a file there is nothing to close. */
  #isClosed = false;
  /** Why the file does not contain the last changes made without requests. */
  #saveError: { readonly reason: unknown } | undefined;
  /** Media that was removed without requests: its bytes are removed when the file no longer contains it. */
  readonly #removedMedia = new Set<number>();
  /** Settles when the last state that was changed without requests is on disk; rejects if it cannot be written. */
  lastSave: Promise<void> = Promise.resolve();

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  /**
   * Runs a write. `createOperation` computes it from the state, and is called again if the state changes
   * before it is applied. If the file cannot be written, nothing changes.
   */
  async commit(createOperation: () => WriteOperation): Promise<WriteResult> {
    if (this.#isClosed) throw createClosedError();
    return this.#commit(createOperation);
  }

  #commit(createOperation: () => WriteOperation): Promise<WriteResult> {
    const { state, file } = this.#options;
    return this.#enqueue(async () => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const { revision } = state;
        const operation = createOperation();
        await this.#store(operation);
        if (state.revision === revision) return this.#apply(operation);
      }
      // Code changes the state faster than the file is written, but not during a write that blocks it.
      await file?.prepare();
      const operation = createOperation();
      file?.saveSync(state, operation);
      return this.#apply(operation);
    });
  }

  /** Stores a file, then the media that it belongs to. */
  async upload(media: Omit<Media, 'id'>, bytes: Uint8Array<ArrayBuffer>): Promise<WriteResult> {
    if (this.#isClosed) throw createClosedError();
    const uploading = this.#upload(media, bytes);
    this.#uploads.add(uploading);
    try {
      return await uploading;
    } finally {
      this.#uploads.delete(uploading);
    }
  }

  async #upload(media: Omit<Media, 'id'>, bytes: Uint8Array<ArrayBuffer>): Promise<WriteResult> {
    const { state, uploads, file } = this.#options;
    await file?.prepare();
    for (;;) {
      const id = state.allocateId('media');
      await uploads.write(id, bytes);
      try {
        return await this.#commit(() => {
          if (state.media.has(id)) throw new IdTakenError();
          return { media: { ...media, id } };
        });
      } catch (error) {
        await this.#removeBytes(id);
        if (!(error instanceof IdTakenError)) throw error;
      }
    }
  }

  /** Saves a state that was changed without requests: once for all changes of one tick. */
  save(): void {
    const { file, onError } = this.#options;
    if (!file || this.#isSavePending) return;
    this.#isSavePending = true;
    const isTooLate = this.#isClosed;
    this.lastSave = this.#enqueue(async () => {
      this.#isSavePending = false;
      try {
        if (isTooLate) throw createClosedError();
        await this.#store();
      } catch (reason) {
        this.#saveError = { reason };
        throw reason;
      }
    });
    this.lastSave.catch(onError);
  }

  /** Saves a state without a media, then removes its bytes. */
  saveWithoutMedia(id: number): void {
    if (!this.#options.file) void this.#removeBytes(id);
    else this.#removedMedia.add(id);
    this.save();
  }

  /** Resolves when the file contains every change made until now; rejects if it cannot be written. */
  async saved(): Promise<void> {
    await this.#last;
    if (this.#saveError) throw this.#saveError.reason;
  }

  /**
   * Refuses further changes, waits for those under way and closes the file. Rejects, after closing it, if it does not
   * contain every change. Without a file, changes are still possible.
   */
  async close(): Promise<void> {
    const { file } = this.#options;
    this.#isClosed = file !== undefined;
    await Promise.allSettled(this.#uploads);
    try {
      // Nothing that is enqueued from here on is stored.
      await this.saved();
    } finally {
      file?.close();
    }
  }

  /** Writes the whole state, as it will be after an operation. */
  async #store(operation?: WriteOperation): Promise<void> {
    const { state, file } = this.#options;
    const removed = [...this.#removedMedia];
    await file?.save(state, operation);
    this.#saveError = undefined;
    for (const id of removed) {
      this.#removedMedia.delete(id);
      await this.#removeBytes(id);
    }
  }

  /** Removes the bytes of a media that does not exist. If that fails, the write has succeeded or failed already. */
  #removeBytes(id: number): Promise<void> {
    const { uploads, onError } = this.#options;
    return uploads.remove(id).catch(onError);
  }

  async #apply(operation: WriteOperation): Promise<WriteResult> {
    const { state, onChange } = this.#options;
    if ('item' in operation) state.put(operation.item);
    else if ('media' in operation) state.putMedia(operation.media);
    else if ('item' in operation.removed) state.remove(operation.removed.item.id);
    else state.removeMedia(operation.removed.media.id);
    onChange();
    const subject = 'removed' in operation ? operation.removed : operation;
    if ('removed' in operation && 'media' in subject && subject.media.uploaded)
      await this.#removeBytes(subject.media.id);
    return { id: 'item' in subject ? subject.item.id : subject.media.id };
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Another media got the id of an upload before it was applied. */
class IdTakenError extends Error {}
