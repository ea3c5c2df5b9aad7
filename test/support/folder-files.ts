import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFacts } from '../../src/replica/store/segments/facts-format.ts';

/** The files of a folder and of those in it, in a fixed order. */
export function filesIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Changes one bit. */
export function flip(bytes: Uint8Array, at: number): void {
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
}

/** The bytes of a file with one bit changed. */
export function flipped(file: string, at: number): Uint8Array {
  const bytes = readFileSync(file);
  flip(bytes, at);
  return bytes;
}

/** Replaces a folder by a copy of another one. */
export function restore(dir: string, from: string): void {
  rmSync(dir, { recursive: true, force: true });
  cpSync(from, dir, { recursive: true });
}

const FACTS = encodeFacts([]).slice(0, 10);

/** Whether these are facts about items, which can be made again from the items. */
export function isFacts(bytes: Uint8Array | string): boolean {
  return Buffer.from(bytes).toString('latin1').startsWith(FACTS);
}

/** The files in a folder without those with facts. */
export function contentFilesIn(dir: string): string[] {
  return filesIn(dir).filter((file) => !isFacts(readFileSync(file)));
}
