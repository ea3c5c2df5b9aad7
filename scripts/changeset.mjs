// npm run changeset [-- ARGUMENTS]: changesets supports workspace packages only, so the root is declared as one
// while it runs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ended, root, start } from './process.mjs';

const path = join(root, 'package.json');
const rewrite = (from, to) => writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));

rewrite('"workspaces": [', '"workspaces": [".",');
try {
  process.exitCode = await ended(start('changeset', process.argv.slice(3)));
} finally {
  rewrite(/"workspaces": \[\s*"\.",/, '"workspaces": [');
}
