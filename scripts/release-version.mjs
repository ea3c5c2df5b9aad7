// Part of `npm version`, which has written the version to package.json and the lock file, and commits afterwards: writes
// it to CHANGELOG.md, to the code and to the examples.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './process.mjs';
import { withVersion } from './release/changelog.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const rewrite = (file, edit) => writeFileSync(join(root, file), edit(readFileSync(join(root, file), 'utf8')));

rewrite('CHANGELOG.md', (text) => withVersion(text, version));
rewrite('src/shared/package-version.ts', (text) => text.replace(/'[^']*'/, `'${version}'`));
for (const example of readdirSync(join(root, 'examples'))) {
  rewrite(`examples/${example}/package.json`, (text) =>
    text.replace(/("astro-luid": )"[^"]*"/, `$1"^${version}"`),
  );
}
await run('git', ['add', 'CHANGELOG.md', 'examples', 'src/shared/package-version.ts']);
