import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { filesIn } from './folder-files.ts';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The files of a cache that are manifests, or segments. */
export const cacheFiles = (dir: string, kind: 'manifest' | 'segment') =>
  filesIn(dir).filter((file) => basename(dirname(file)) === kind);

/** What a manifest contains, without its signature. */
const manifestBody = (file: string) => readFileSync(file, 'utf8').split('\n').slice(1).join('\n');

/**
 * Changes the items of a manifest as an attacker would who can write to the cache but lacks the key: updates the hashes
 * of the segments, sets the time of the read to the future, and signs the result in some way.
 */
export function forgeManifest(
  file: string,
  forgeItems: (text: string) => string,
  sign: (body: string) => string,
): void {
  const manifest = JSON.parse(manifestBody(file));
  for (const state of Object.values<{ segments: { hash: string }[] }>(manifest.models)) {
    for (const segment of state.segments) {
      const path = join(dirname(dirname(file)), 'segment', segment.hash);
      const text = forgeItems(readFileSync(path, 'utf8'));
      segment.hash = sha256(text);
      writeFileSync(join(dirname(path), segment.hash), text);
    }
    Object.assign(state, { readAt: Date.UTC(2099, 0, 1) });
  }
  const body = JSON.stringify(manifest);
  writeFileSync(file, `${sign(body)}\n${body}`);
}
