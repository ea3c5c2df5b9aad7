// Someone who can read a storage, and has no key, looks for parts of a draft: node read-drafts.mjs STORAGE PART …
// Prints those that were found, as text or in base64, numbers also as they are in memory.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [storage, ...parts] = process.argv.slice(2);
const texts = readdirSync(storage, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .flatMap((entry) => {
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    const decoded = text.split(/[^0-9A-Za-z+/]+/).map((part) => Buffer.from(part, 'base64'));
    return [
      entry.name,
      text,
      ...decoded.flatMap((bytes) => [bytes.toString('utf8'), bytes.toString('latin1')]),
    ];
  });
const formsOf = (part) =>
  Number(part) ? [part, Buffer.from(new Float64Array([Number(part)]).buffer).toString('latin1')] : [part];
const found = parts.filter((part) => formsOf(part).some((form) => texts.some((text) => text.includes(form))));
console.log(JSON.stringify({ files: texts.length, found }));
