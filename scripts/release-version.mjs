// npm run release:version: makes a version of the changesets: version and CHANGELOG.md, and the places that name the
// version: the lock file and the examples.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './process.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');

await run('node', ['scripts/run.mjs', 'changeset', 'version']);
const { version } = JSON.parse(read('package.json'));
const lock = JSON.parse(read('package-lock.json'));
lock.version = version;
lock.packages[''].version = version;
writeFileSync(join(root, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
for (const example of ['live', 'minimal']) {
  const file = `examples/${example}/package.json`;
  const text = read(file).replace(/("astro-luid": )"[^"]*"/, `$1"^${version}"`);
  writeFileSync(join(root, file), text);
}
await run('biome', ['check', '--write', 'package.json', 'examples']);
console.log(`Version ${version}: see CHANGELOG.md.`);
