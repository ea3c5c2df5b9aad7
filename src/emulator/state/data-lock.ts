import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod';
import { LuidConfigError } from '../../shared/errors.ts';
import { printable } from '../../shared/printable.ts';

/** The latest time that a `Date` can have. */
const MAX_TIME = 8.64e15;

/** The process that holds a lock: the content of the lock file. */
const LockHolder = z.object({
  token: z.string(),
  pid: z.int().positive(),
  host: z.string(),
  /** When the lock was acquired, in milliseconds since 1970. */
  since: z.number().min(-MAX_TIME).max(MAX_TIME),
  /** Distinguishes the process from a later one with the same id, where the system provides it. */
  started: z.string().optional().catch(undefined),
});
type LockHolder = z.infer<typeof LockHolder>;

/**
 * `FILE.lock`: one emulator at a time may use a data file. The lock of a process that no longer runs is
 * replaced.
 */
export class DataLock {
  readonly #path: string;
  readonly #token: string;
  #released = false;

  private constructor(path: string, token: string) {
    this.#path = path;
    this.#token = token;
    heldHere.add(token);
  }

  /** Acquires the lock of a data file. Throws an error that names the holder if it is in use. */
  static acquire(file: string): DataLock {
    try {
      return DataLock.#acquire(file);
    } catch (cause) {
      if (LuidConfigError.is(cause)) throw cause;
      throw new LuidConfigError(`The data file ${file} cannot be locked: ${(cause as Error).message}`, {
        hint: 'The emulator must be able to create files in that folder. Correct its permissions, or choose another file.',
        cause,
      });
    }
  }

  static #acquire(file: string): DataLock {
    const path = `${file}.lock`;
    const holder: LockHolder = {
      token: randomUUID(),
      pid: process.pid,
      host: hostname(),
      since: Date.now(),
      started: processStartTime(process.pid),
    };
    // The first attempt may find a stale lock, the second that another process was faster. More than three
    // would mean that other processes keep acquiring it.
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (createLockFile(path, JSON.stringify(holder))) return new DataLock(path, holder.token);
      const text = readLock(path);
      if (text === undefined) continue;
      const other = parse(text);
      if (other && isAlive(other)) throw createInUseError(file, path, other);
      removeStale(path, text);
    }
    throw new LuidConfigError(`The data file ${file} is in use: its lock ${path} keeps changing`, {
      hint: 'Stop the other emulators that use this file, or choose another --data file.',
    });
  }

  /** Throws unless this emulator still holds the lock. */
  async check(): Promise<void> {
    if (this.#released) throw createClosedError();
    const text = await readFile(this.#path, 'utf8').catch(() => '');
    if (parse(text)?.token === this.#token) return;
    throw new Error(`The lock ${this.#path} was removed or acquired by another emulator: nothing was stored`);
  }

  release(): void {
    this.#released = true;
    heldHere.delete(this.#token);
    const text = readLock(this.#path);
    if (text !== undefined && parse(text)?.token === this.#token) rmSync(this.#path, { force: true });
  }
}

const MAX_ATTEMPTS = 3;

/** The tokens of the locks that this process holds: for them no clock decides. */
const heldHere = new Set<string>();

/** Creates the lock file with its content atomically; `false` if it exists. */
function createLockFile(path: string, content: string): boolean {
  const temporary = `${path}.${randomUUID()}.tmp`;
  writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 });
  try {
    return linkOrCreate(temporary, path, content);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Links a complete file to the name of the lock; `false` if the lock exists. */
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

/** Removes the lock that was read, but not one that another process has acquired since. */
function removeStale(path: string, text: string): void {
  const aside = `${path}.${randomUUID()}.tmp`;
  try {
    renameSync(path, aside);
    const moved = readFileSync(aside, 'utf8');
    if (moved !== text) linkOrCreate(aside, path, moved);
  } catch (error) {
    // Another process was faster; the next attempt reads its lock.
    if (codeOf(error) !== 'ENOENT') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function isAlive(holder: LockHolder): boolean {
  // Whether a process on another machine still runs cannot be checked.
  if (holder.host !== hostname()) return true;
  if (heldHere.has(holder.token)) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  // A restarted container uses the same process ids again.
  const started = processStartTime(holder.pid);
  if (holder.started !== undefined && started !== undefined) return holder.started === started;
  return holder.pid !== process.pid || holder.since >= Date.now() - process.uptime() * 1000;
}

/** When a process started, in clock ticks since boot; `undefined` without /proc. */
function processStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name, in parentheses, may contain anything; field 22 is the 20th after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function createInUseError(file: string, path: string, { pid, host, since }: LockHolder): LuidConfigError {
  const time = new Date(since).toISOString();
  const inUse = (holder: string, hint: string) =>
    new LuidConfigError(`The data file ${file} is in use by ${holder}, since ${time}`, {
      hint: `${hint}, delete ${path}.`,
    });
  if (host !== hostname()) {
    const holder = `process ${pid} on ${printable(host, 100)}`;
    return inUse(holder, 'Stop it, or choose another file. If it no longer runs');
  }
  if (pid === process.pid) {
    const holder = `another emulator in this process (${pid})`;
    return inUse(holder, 'Call close() on it first, or choose another file. If there is no other emulator');
  }
  const hint = `Stop it, or choose another file. If process ${pid} is not an emulator`;
  return inUse(`process ${pid}`, hint);
}

/** The error of a change after `close()`. */
export function createClosedError(): Error {
  return new Error('The emulator was closed: nothing was stored');
}

/** `undefined`: the lock is unreadable, so it is stale. */
function parse(text: string): LockHolder | undefined {
  try {
    return LockHolder.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
