import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The space that the emulator serves by default: a small magazine with its images. */
export function sampleSeed(): { seed: unknown; directory: string } {
  const directory = new URL('./sample/', import.meta.url);
  return {
    seed: JSON.parse(readFileSync(new URL('seed.json', directory), 'utf8')),
    directory: fileURLToPath(directory),
  };
}
