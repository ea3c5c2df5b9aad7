import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Lines that keep `.env` out of a repository. */
const COVERS = new Set(['.env', '/.env', '.env*', '/.env*', '**/.env', '*.env']);

/** Whether a folder lies in a git repository that would take its `.env` in. */
export function wouldCommitEnv(folder: string): boolean {
  let ignored = false;
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, '.gitignore');
    ignored ||= existsSync(file) && covers(readFileSync(file, 'utf8'));
    if (existsSync(join(at, '.git'))) return !ignored;
    if (dirname(at) === at) return false;
  }
}

function covers(text: string): boolean {
  return text.split('\n').some((line) => COVERS.has(line.trim()));
}

export function withEnvIgnored(text: string): string {
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}.env\n`;
}
