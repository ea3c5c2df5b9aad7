import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { LuidConfigError } from '../../errors.ts';
import { isRecord } from '../../models/field-types/field-type.ts';
import { showInstant } from '../fields/instants.ts';
import { removeLeftovers, writeAtomically } from './atomic-file.ts';
import type { Change } from './change.ts';
import type { DataLock } from './data-lock.ts';
import { Intaker } from './intake.ts';
import type { Item } from './item.ts';
import { instantAt, list, record, refuse } from './place.ts';
import { readSeed } from './seed-check.ts';
import type { State } from './state.ts';

const FORMAT = 'astro-luid emulator 1';

/** The state on disk: a seed, with what a seed does not say. */
export class DataFile {
  readonly path: string;
  readonly #directory: string;
  readonly #lock: DataLock;
  #cleaned: Promise<void> | undefined;
  #texts = new WeakMap<Item, string>();
  #epoch = 0;

  /** `directory` is the one that media of the seed lie in. */
  constructor(path: string, directory: string, lock: DataLock) {
    this.path = path;
    this.#directory = directory;
    this.#lock = lock;
  }

  /** Where uploaded media lie. */
  get folder(): string {
    return `${this.path}.media`;
  }

  /** Puts the state in place of what the file holds, as it will be after a change. */
  async save(state: State, change?: Change): Promise<void> {
    await this.#lock.check();
    this.#cleaned ??= this.#removeLeftovers();
    await this.#cleaned;
    await writeAtomically(this.path, this.#text(state, change));
  }

  /** Lets another emulator use the file. Nothing can be saved afterwards. */
  close(): void {
    this.#lock.release();
  }

  /** What earlier runs left when they were killed: only who has the lock may remove it. */
  async #removeLeftovers(): Promise<void> {
    await removeLeftovers(dirname(this.path), [this.path, `${this.path}.lock`]);
    await removeLeftovers(this.folder);
  }

  #text(state: State, change: Change | undefined): string {
    // What an item looks like in a seed depends on its model.
    if (this.#epoch !== state.epoch) this.#texts = new WeakMap();
    this.#epoch = state.epoch;
    const { items, media } = changed(state, change);
    const intaker = new Intaker(state, (time) => time);
    const { languages, spaces, keys, models } = state;
    const settled = [...items.values()].flatMap(({ id, settledAt }) =>
      settledAt === undefined ? [] : [[id, showInstant(settledAt)]],
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
      media: [...media.values()].map((one) => intaker.giveMedia(one)),
    };
    const contents = [...items.values()].map((item) => {
      const text = this.#texts.get(item) ?? JSON.stringify(intaker.giveContent(item));
      this.#texts.set(item, text);
      return text;
    });
    const open = (value: object) => JSON.stringify(value).slice(0, -1);
    return `${open(head)},\n"state":${open(seed)},\n"contents":[\n${contents.join(',\n')}\n]}}\n`;
  }
}

/** What a data file held. */
export interface Stored {
  readonly state: State;
  readonly directory: string;
}

/** The path that a data file has, whether it is there or not. Refuses one that could never be written. */
export function locateData(path: string): { path: string; exists: boolean } {
  const absolute = resolve(path);
  try {
    return { path: realpathSync(absolute), exists: true };
  } catch (cause) {
    if (isFolder(dirname(absolute))) return { path: absolute, exists: false };
    throw new LuidConfigError(`The data file ${path} cannot be kept: its folder does not exist`, {
      hint: 'Make the folder, or name another file.',
      cause,
    });
  }
}

/** Reads a data file, or refuses it and leaves it as it is. */
export function readData(path: string, time: (time: number) => number): Stored {
  try {
    return readStored(JSON.parse(readFileSync(path, 'utf8')), path, time);
  } catch (cause) {
    throw new LuidConfigError(
      `The data file ${path} is damaged or none of ours, and was left alone: ${(cause as Error).message}`,
      { hint: 'Move it away to start from the seed again, or put a sound copy in its place.', cause },
    );
  }
}

function readStored(value: unknown, path: string, time: (time: number) => number): Stored {
  if (!isRecord(value) || value.format !== FORMAT) refuse('format', `is not ${JSON.stringify(FORMAT)}`);
  const root = record(value, 'data', ['format', 'directory', 'next', 'uploaded', 'settled', 'state']);
  const state = readSeed(root.state, time);
  for (const id of list(root.uploaded, 'uploaded')) {
    const media = state.media.get(id as number) ?? refuse('uploaded', `names ${id}, which is no media`);
    state.putMedia({ ...media, uploaded: true });
  }
  if (!isRecord(root.settled)) return refuse('settled', 'must be times by content id');
  for (const [id, settled] of Object.entries(root.settled)) {
    const item = state.items.get(Number(id)) ?? refuse('settled', `names ${id}, which is no content`);
    state.put({ ...item, settledAt: time(instantAt(settled, `settled.${id}`)) });
  }
  const { content, media } = record(root.next, 'next', ['content', 'media']);
  if (!Number.isSafeInteger(content) || !Number.isSafeInteger(media)) refuse('next', 'must hold two ids');
  state.reserveIds({ content: content as number, media: media as number });
  const directory =
    typeof root.directory === 'string' ? root.directory : refuse('directory', 'must be a path');
  return { state, directory: resolve(dirname(path), directory) };
}

/** The items and media of a state, as they will be after a change. */
function changed(state: State, change: Change | undefined): Pick<State, 'items' | 'media'> {
  if (!change) return state;
  const items = new Map(state.items);
  const media = new Map(state.media);
  if ('item' in change) items.set(change.item.id, change.item);
  else if ('media' in change) media.set(change.media.id, change.media);
  else if ('item' in change.gone) items.delete(change.gone.item.id);
  else media.delete(change.gone.media.id);
  return { items, media };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
