import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process.mjs';

const MARK = /^<!-- translation of (\S+) ([\da-f]{12}) -->$/m;

/** Each translated document, what it was made from, and whether that has changed since. */
export function findTranslations() {
  const documents = globSync(['*.ja.md', 'docs/ja/**/*.md'], { cwd: root }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  return documents.sort().map((document) => {
    const [, source, hash] = MARK.exec(read(document)) ?? [];
    return { document, source, lags: source === undefined || hashOf(source) !== hash };
  });
}

function read(document) {
  return readFileSync(join(root, document), 'utf8');
}

function hashOf(document) {
  return createHash('sha256').update(read(document)).digest('hex').slice(0, 12);
}

/** Marks a document as a translation of the English of today. */
export function markTranslation(document) {
  const text = read(document);
  const marked = text.replace(MARK, (_, source) => `<!-- translation of ${source} ${hashOf(source)} -->`);
  writeFileSync(join(root, document), marked);
}
