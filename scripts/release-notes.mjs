// node scripts/release-notes.mjs: prints what CHANGELOG.md says about the version of package.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.mjs';
import { releaseNotes } from './release/changelog.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const notes = releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
if (notes === undefined) {
  console.error(`CHANGELOG.md has no section ${version}.`);
  process.exit(1);
}
console.log(notes);
