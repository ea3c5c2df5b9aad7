// npm run release:check: names what is missing for a release, and fails if something is. npm publish runs it too.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.mjs';
import { hasUnreleased, releaseNotes } from './release/changelog.mjs';
import { missingFields } from './release/missing-fields.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');

const problems = missingFields(manifest);
if (hasUnreleased(changelog))
  problems.push('CHANGELOG.md lists changes that are not part of a version yet: npm version minor');
if (releaseNotes(changelog, manifest.version) === undefined)
  problems.push(`CHANGELOG.md has no section ${manifest.version}.`);

for (const problem of problems) console.error(`✗ ${problem}`);
if (problems.length === 0) console.log(`✓ ${manifest.name} ${manifest.version} can be published.`);
process.exitCode = problems.length === 0 ? 0 : 1;
