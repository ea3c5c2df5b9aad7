import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import { TEXT } from './text.ts';

/** Benchmarks store their figures here as JSON; RESULTS.md is generated from all of them. Those with ASCII are only printed. */
const FOLDER = new URL('results/', import.meta.url);

export function writeResults(name: string, results: object): void {
  if (TEXT === 'ASCII') return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(new URL(`${name}.json`, FOLDER), `${JSON.stringify(results, null, 2)}\n`);
}

/** `undefined` if the benchmark was never run. */
export function readResults<T>(name: string): T | undefined {
  const file = new URL(`${name}.json`, FOLDER);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
