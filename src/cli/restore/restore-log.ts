import { open } from 'node:fs/promises';
import { LuidError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';
import { readIfExists } from '../backup/files.ts';

/** A line of the log. An intent is written before a write, the result after it. */
export type LogEntry =
  /** A restore begins, with what it found of each item of the target. */
  | {
      readonly begin: { readonly export: string; readonly existing: { readonly [id: string]: string } };
    }
  | { readonly create: number }
  | { readonly created: number; readonly id: number; readonly fingerprint: string }
  | { readonly upload: string }
  | { readonly uploaded: string; readonly id: number }
  /** A write to an existing item, by its id in the target, and its state after it. */
  | { readonly write: number; readonly step: string }
  | { readonly written: number; readonly fingerprint: string }
  | { readonly end: true };

/** What is known of the restores of one export into one space. */
export class RestoreLog {
  /** The target's id of each item that was created, by its id in the export. */
  readonly created = new Map<number, number>();
  /** The target's id of each media that was uploaded, by its URL in the export. */
  readonly uploaded = new Map<string, number>();
  /** What each item of the target was when it was last read or written; empty before a restore begins. */
  readonly fingerprints = new Map<number, string>();
  /** Writes without a result, of which it is not known whether they were carried out. */
  readonly openCreates = new Set<number>();
  readonly openUploads = new Set<string>();
  readonly openWrites = new Map<number, string>();
  /** The export of a restore that has not ended. */
  unfinished: string | undefined;
  readonly #path: string;
  #endsInLine = true;

  private constructor(path: string) {
    this.#path = path;
  }

  static async open(path: string): Promise<RestoreLog> {
    const log = new RestoreLog(path);
    const text = (await readIfExists(path))?.toString() ?? '';
    log.#endsInLine = text === '' || text.endsWith('\n');
    const lines = text.split('\n');
    for (const [index, line] of lines.entries()) {
      const entry = parse(line);
      if (entry) log.#apply(entry);
      // A killed process may have left half a line.
      else if (index === 0 && line !== '' && !line.startsWith('{')) {
        throw new LuidError(`${path} is not a log of luid restore`, { hint: 'Move it away.' });
      }
    }
    return log;
  }

  /** Forgets what earlier restores found of items. Their ids stay known. */
  forgetItems(): void {
    this.fingerprints.clear();
    this.openWrites.clear();
  }

  /** Appends a line, and waits until it is on disk. */
  async add(entry: LogEntry): Promise<void> {
    const file = await open(this.#path, 'a', 0o600).catch((cause) => {
      throw new LuidError(`Cannot write ${this.#path}: ${cause.message}`, {
        hint: 'The log is needed to resume without duplicates. Nothing was written to the space since.',
        cause,
      });
    });
    try {
      await file.appendFile(`${this.#endsInLine ? '' : '\n'}${JSON.stringify(entry)}\n`);
      await file.sync();
      this.#endsInLine = true;
    } finally {
      await file.close();
    }
    this.#apply(entry);
  }

  #apply(entry: LogEntry): void {
    if ('begin' in entry) {
      this.unfinished = entry.begin.export;
      this.forgetItems();
      for (const [id, fingerprint] of Object.entries(entry.begin.existing)) {
        this.fingerprints.set(Number(id), fingerprint);
      }
    } else if ('create' in entry) this.openCreates.add(entry.create);
    else if ('created' in entry) {
      this.openCreates.delete(entry.created);
      this.created.set(entry.created, entry.id);
      this.fingerprints.set(entry.id, entry.fingerprint);
    } else if ('upload' in entry) this.openUploads.add(entry.upload);
    else if ('uploaded' in entry) {
      this.openUploads.delete(entry.uploaded);
      this.uploaded.set(entry.uploaded, entry.id);
    } else if ('write' in entry) this.openWrites.set(entry.write, entry.step);
    else if ('written' in entry) {
      this.openWrites.delete(entry.written);
      this.fingerprints.set(entry.written, entry.fingerprint);
    } else this.unfinished = undefined;
  }
}

function parse(line: string): LogEntry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return isRecord(entry) ? (entry as unknown as LogEntry) : undefined;
  } catch {
    return undefined;
  }
}
