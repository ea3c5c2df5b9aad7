import { readFileSync, writeFileSync } from 'node:fs';
import { filesIn, flip } from '../support/folder-files.ts';
import { cacheFiles, forgeManifest, sha256 } from '../support/forge-cache.ts';
import type { TestSetup } from './test-setup.ts';

/** Damages the files of a cache. */
export type Damage = (setup: TestSetup) => void;

export const DAMAGES: Readonly<Record<string, Damage>> = {
  'torn cache': (setup) => rewrite(setup, (bytes) => bytes.subarray(0, bytes.length >> 1)),
  'flipped cache': (setup) => rewrite(setup, flipMiddle),
  'forged cache': forge,
};

function rewrite({ dir }: TestSetup, change: (bytes: Buffer) => Uint8Array): void {
  for (const file of filesIn(dir)) writeFileSync(file, change(readFileSync(file)));
}

function flipMiddle(bytes: Buffer): Buffer {
  flip(bytes, bytes.length >> 1);
  return bytes;
}

/** Other titles, with hashes that are right, and a signature that needs no key. */
export function forge({ dir }: TestSetup): void {
  for (const file of cacheFiles(dir, 'manifest')) {
    forgeManifest(file, (text) => text.replaceAll('article ', 'forged '), sha256);
  }
}
