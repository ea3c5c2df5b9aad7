import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { LuidConfigError } from '../../errors.ts';
import { isRecord } from '../../models/field-types/field-type.ts';
import { printable } from '../../printable.ts';

/** Who holds a lock, as its file says it. */
interface Holder {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** When the lock was taken, in milliseconds since 1970. */
  readonly since: number;
  /** What tells the process from a later one of the same id, where the system says it. */
  readonly started?: string | undefined;
}

/**
 * `FILE.lock`: one emulator at a time may use a data file. The lock of a process that has ended, however
 * it ended, is taken over.
 */
export class DataLock {
  readonly #path: string;
  readonly #token: string;
  #released = false;

  private constructor(path: string, token: string) {
    this.#path = path;
    this.#token = token;
  }

  /** Takes the lock of a data file, or throws who has it. */
  static take(file: string): DataLock {
    try {
      return DataLock.#take(file);
    } catch (cause) {
      if (LuidConfigError.is(cause)) throw cause;
      throw new LuidConfigError(`The data file ${file} cannot be locked: ${(cause as Error).message}`, {
        hint: 'The emulator must be able to create files in that folder. Correct its permissions, or choose another file.',
        cause,
      });
    }
  }

  static #take(file: string): DataLock {
    const path = `${file}.lock`;
    const holder: Holder = {
      token: randomUUID(),
      pid: process.pid,
      host: hostname(),
      since: Date.now(),
      started: startOf(process.pid),
    };
    // One round finds a stale lock, the next may find that another process was faster. More than three
    // would mean that others take it over and over.
    for (let round = 0; round < 3; round++) {
      if (create(path, JSON.stringify(holder))) return new DataLock(path, holder.token);
      const text = readLock(path);
      if (text === undefined) continue;
      const other = parse(text);
      if (other && isAlive(other)) throw inUse(file, path, other);
      removeStale(path, text);
    }
    throw new LuidConfigError(`The data file ${file} is in use: its lock ${path} keeps changing`, {
      hint: 'Stop the other emulators that use this file, or choose another --data file.',
    });
  }

  /** Throws unless this emulator still has the lock. */
  async check(): Promise<void> {
    if (this.#released) throw new Error('The emulator was closed: nothing was stored');
    const text = await readFile(this.#path, 'utf8').catch(() => '');
    if (parse(text)?.token === this.#token) return;
    throw new Error(`The lock ${this.#path} was removed or taken by another emulator: nothing was stored`);
  }

  release(): void {
    this.#released = true;
    const text = readLock(this.#path);
    if (text !== undefined && parse(text)?.token === this.#token) rmSync(this.#path, { force: true });
  }
}

/** Creates the lock file with all of its content in one step; `false` if there is one. */
function create(path: string, content: string): boolean {
  const temporary = `${path}.${randomUUID()}.tmp`;
  writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 });
  try {
    return linkOrCreate(temporary, path, content);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Gives a complete file the name of the lock; `false` if there is one. */
function linkOrCreate(complete: string, path: string, content: string): boolean {
  try {
    linkSync(complete, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    return createWithoutLinks(path, content);
  }
}

/** For file systems without hard links. */
function createWithoutLinks(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes the lock that was read, and no other that somebody took meanwhile. */
function removeStale(path: string, text: string): void {
  const aside = `${path}.${randomUUID()}.tmp`;
  try {
    renameSync(path, aside);
    const moved = readFileSync(aside, 'utf8');
    if (moved !== text) linkOrCreate(aside, path, moved);
  } catch (error) {
    // Another process was faster; the next round sees which.
    if (codeOf(error) !== 'ENOENT') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function isAlive(holder: Holder): boolean {
  // Nobody can tell from here whether a process of another machine still runs.
  if (holder.host !== hostname()) return true;
  // A container that was restarted has the same process ids again.
  if (holder.pid === process.pid) return holder.since >= Date.now() - process.uptime() * 1000;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  const started = startOf(holder.pid);
  return holder.started === undefined || started === undefined || holder.started === started;
}

/** When a process started, in the system's own count; `undefined` where there is no /proc. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may hold anything; the 22nd value is the 20th after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function inUse(file: string, path: string, { pid, host, since }: Holder): LuidConfigError {
  const who =
    host !== hostname()
      ? `process ${pid} on ${printable(host, 100)}`
      : pid === process.pid
        ? `another emulator in this process (${pid})`
        : `process ${pid}`;
  const hint =
    host !== hostname()
      ? `Stop it, or choose another file. If it no longer runs, delete ${path}.`
      : pid === process.pid
        ? `Call close() on it first, or choose another file. If there is no other emulator, delete ${path}.`
        : `Stop it, or choose another file. If process ${pid} is not an emulator, delete ${path}.`;
  return new LuidConfigError(
    `The data file ${file} is in use by ${who}, since ${new Date(since).toISOString()}`,
    { hint },
  );
}

/** An unreadable lock is stale: the process that wrote it crashed, or it is not one of ours. */
function parse(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return undefined;
    const { token, pid, host, since, started } = value;
    if (typeof token !== 'string' || typeof host !== 'string') return undefined;
    if (!Number.isSafeInteger(pid) || (pid as number) <= 0) return undefined;
    if (typeof since !== 'number' || !(Math.abs(since) <= 8.64e15)) return undefined;
    return {
      token,
      pid: pid as number,
      host,
      since,
      started: typeof started === 'string' ? started : undefined,
    };
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
