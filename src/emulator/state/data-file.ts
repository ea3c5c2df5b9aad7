import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { LuidConfigError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';
import { formatInstant } from '../fields/instants.ts';
import { removeLeftovers, writeAtomically, writeAtomicallySync } from './atomic-file.ts';
import type { DataLock } from './data-lock.ts';
import type { Item } from './item.ts';
import { parseSeed } from './parse-seed.ts';
import { SeedConverter } from './seed-converter.ts';
import { parseList, parseObject, parseTime, throwSeedError } from './seed-parsers.ts';
import type { Media, State } from './state.ts';

/** What one write does: it stores or removes an item or a media. */
export type WriteOperation =
  | { readonly item: Item }
  | { readonly media: Media }
  | { readonly removed: { readonly item: Item } | { readonly media: Media } };

const FORMAT = 'astro-luid emulator 1';

/** The state on disk: a seed, and the state that a seed cannot express. */
export class DataFile {
  readonly path: string;
  readonly #directory: string;
  readonly #lock: DataLock;
  #cleaned: Promise<void> | undefined;
  #serialized = new WeakMap<Item, string>();
  #modelsVersion = 0;

  /** `directory` contains the media of the seed. */
  constructor(path: string, directory: string, lock: DataLock) {
    this.path = path;
    this.#directory = directory;
    this.#lock = lock;
  }

  /** The folder of uploaded media. */
  get mediaFolder(): string {
    return `${this.path}.media`;
  }

  /**
   * To be awaited before a file is written, here or in the folder of media: checks the lock, and removes the
   * temporary files of killed emulators. That happens once, so that it never removes one of ours.
   */
  async prepare(): Promise<void> {
    await this.#lock.check();
    this.#cleaned ??= this.#removeLeftovers();
    await this.#cleaned;
  }

  /** Writes the state as it will be after an operation. */
  async save(state: State, operation?: WriteOperation): Promise<void> {
    await this.prepare();
    await writeAtomically(this.path, this.#serialize(state, operation));
  }

  /** The same, without letting other code run in between; `prepare` must have been awaited just before. */
  saveSync(state: State, operation: WriteOperation): void {
    writeAtomicallySync(this.path, this.#serialize(state, operation));
  }

  /** Releases the lock, so that another emulator can use the file. Nothing can be saved afterwards. */
  close(): void {
    this.#lock.release();
  }

  /** Only the holder of the lock may do so. */
  async #removeLeftovers(): Promise<void> {
    await removeLeftovers(dirname(this.path), [this.path, `${this.path}.lock`]);
    await removeLeftovers(this.mediaFolder);
  }

  #serialize(state: State, operation: WriteOperation | undefined): string {
    // The seed format of an item depends on its model.
    if (this.#modelsVersion !== state.modelsVersion) this.#serialized = new WeakMap();
    this.#modelsVersion = state.modelsVersion;
    const { items, media } = applyOperation(state, operation);
    const converter = new SeedConverter(state, (time) => time);
    const { languages, spaces, keys, models, webhooks } = state;
    const settled = [...items.values()].flatMap(({ id, updatedAtBeforeDraft }) =>
      updatedAtBeforeDraft === undefined ? [] : [[id, formatInstant(updatedAtBeforeDraft)]],
    );
    const head = {
      format: FORMAT,
      directory: relative(dirname(this.path), this.#directory),
      next: state.nextIds,
      uploaded: [...media.values()].filter(({ uploaded }) => uploaded).map(({ id }) => id),
      settled: Object.fromEntries(settled),
    };
    const seed = {
      languages,
      ...(spaces && { spaces: [...spaces] }),
      keys: [...keys.values()],
      models,
      media: [...media.values()].map((one) => converter.toSeedMedia(one)),
      ...(webhooks.length > 0 && { webhooks }),
    };
    const contents = [...items.values()].map((item) => {
      const json = this.#serialized.get(item) ?? JSON.stringify(converter.toSeedContent(item));
      this.#serialized.set(item, json);
      return json;
    });
    const withoutBrace = (value: object) => JSON.stringify(value).slice(0, -1);
    return `${withoutBrace(head)},\n"state":${withoutBrace(seed)},\n"contents":[\n${contents.join(',\n')}\n]}}\n`;
  }
}

/** The content of a data file. */
export interface StoredState {
  readonly state: State;
  readonly directory: string;
}

/** The absolute path of a data file, which may not exist yet. Throws if its folder does not exist. */
export function locateDataFile(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch (cause) {
    if (isFolder(dirname(absolute))) return absolute;
    throw new LuidConfigError(`The data file ${path} cannot be created: its folder does not exist`, {
      hint: 'Create the folder, or choose another file.',
      cause,
    });
  }
}

/**
 * Reads a data file; `undefined` if it does not exist. Throws for an invalid one and leaves it unchanged. Only the
 * holder of the lock knows that no other emulator creates it afterwards.
 */
export function readDataFile(path: string, truncateTime: (time: number) => number): StoredState | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return parseStoredState(JSON.parse(readFileSync(path, 'utf8')), path, truncateTime);
  } catch (cause) {
    throw new LuidConfigError(
      `The data file ${path} is damaged or not an emulator data file (it was not changed): ${(cause as Error).message}`,
      { hint: 'Remove or rename it to start from the seed again, or restore a backup.', cause },
    );
  }
}

function parseStoredState(value: unknown, path: string, truncateTime: (time: number) => number): StoredState {
  if (!isRecord(value) || value.format !== FORMAT)
    throwSeedError('format', `is not ${JSON.stringify(FORMAT)}`);
  const root = parseObject(value, 'data', ['format', 'directory', 'next', 'uploaded', 'settled', 'state']);
  const state = parseSeed(root.state, truncateTime);
  for (const id of parseList(root.uploaded, 'uploaded')) {
    const media =
      state.media.get(id as number) ??
      throwSeedError('uploaded', `contains ${id}, which is not the id of a media`);
    state.putMedia({ ...media, uploaded: true });
  }
  if (!isRecord(root.settled))
    return throwSeedError('settled', 'must be an object with a time per content id');
  for (const [id, settled] of Object.entries(root.settled)) {
    const item =
      state.items.get(Number(id)) ??
      throwSeedError('settled', `contains ${id}, which is not the id of a content item`);
    state.put({ ...item, updatedAtBeforeDraft: truncateTime(parseTime(settled, `settled.${id}`)) });
  }
  const { content, media } = parseObject(root.next, 'next', ['content', 'media']);
  if (!Number.isSafeInteger(content) || !Number.isSafeInteger(media))
    throwSeedError('next', 'must contain two ids');
  state.reserveIds({ content: content as number, media: media as number });
  const directory =
    typeof root.directory === 'string' ? root.directory : throwSeedError('directory', 'must be a path');
  return { state, directory: resolve(dirname(path), directory) };
}

/** The items and media of a state as they will be after an operation. */
function applyOperation(state: State, operation: WriteOperation | undefined): Pick<State, 'items' | 'media'> {
  if (!operation) return state;
  const items = new Map(state.items);
  const media = new Map(state.media);
  if ('item' in operation) items.set(operation.item.id, operation.item);
  else if ('media' in operation) media.set(operation.media.id, operation.media);
  else if ('item' in operation.removed) items.delete(operation.removed.item.id);
  else media.delete(operation.removed.media.id);
  return { items, media };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
